import type { CapperRow } from '../cappers/cappers.ts';

/** A fictional capper. */
export interface DemoCapper extends CapperRow {
  displayName: string;
  /** Probability of picking the best value on offer, which only the generator knows, instead of a random side. */
  skill: number;
  /** Probability of posting a pick on a game. */
  activity: number;
  /** Whether a pick says at which book its price was. */
  namesBook: boolean;
}

const capper = (
  handle: string,
  displayName: string,
  tier: CapperRow['tier'],
  skill: number,
  activity: number,
  namesBook = true,
): DemoCapper => ({ handle, displayName, tier, verified: true, skill, activity, namesBook });

export const demoCappers: readonly DemoCapper[] = [
  capper('demo-north-star', 'North Star (demo)', 'elite', 0.55, 0.43),
  capper('demo-ledgerline', 'Ledgerline (demo)', 'elite', 0.5, 0.4),
  capper('demo-quiet-edge', 'Quiet Edge (demo)', 'elite', 0.6, 0.32, false),
  capper('demo-harbor', 'Harbor Analytics (demo)', 'verified_sharp', 0.4, 0.4),
  capper('demo-fifth-down', 'Fifth Down (demo)', 'verified_sharp', 0.35, 0.32),
  capper('demo-late-money', 'Late Money (demo)', 'verified_sharp', 0.45, 0.36),
  capper('demo-copperfield', 'Copperfield (demo)', 'verified_sharp', 0.3, 0.36),
  capper('demo-weekender', 'Weekender (demo)', 'listed', 0.1, 0.14),
  capper('demo-gut-feeling', 'Gut Feeling (demo)', 'listed', 0, 0.18),
  capper('demo-parlour', 'The Parlour (demo)', 'listed', 0.15, 0.13, false),
  capper('demo-longshots', 'Longshots (demo)', 'listed', 0.05, 0.11),
  capper('demo-home-team', 'Home Team (demo)', 'listed', 0.1, 0.14),
  capper('demo-coin', 'The Coin (demo)', 'listed', 0, 0.14),
  capper('demo-overs-only', 'Overs Only (demo)', 'listed', 0.05, 0.13),
];
