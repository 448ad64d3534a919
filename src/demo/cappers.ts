import type { CapperRow } from '../intake/capper.ts';

export interface DemoCapper extends CapperRow {
  displayName: string;
  /**
   * Share of picks at the best price on offer, judged by the closing probabilities that only the generator knows. Other picks are random.
   * If negative, the share of picks at the worst price.
   */
  skill: number;
  activity: number;
  namesBook: boolean;
  /** Share of picks with odds that no book offered. */
  exaggerates: number;
  signs: boolean;
}

const capper = (
  handle: string,
  displayName: string,
  tier: CapperRow['tier'],
  skill: number,
  activity: number,
  { namesBook = true, exaggerates = 0, signs = false } = {},
): DemoCapper => ({
  handle,
  displayName,
  tier,
  verified: true,
  skill,
  activity,
  namesBook,
  exaggerates,
  signs,
});

export const demoCappers: readonly DemoCapper[] = [
  capper('demo-north-star', 'North Star (demo)', 'elite', 0.7, 0.26, { signs: true }),
  capper('demo-ledgerline', 'Ledgerline (demo)', 'elite', 0.42, 0.54),
  capper('demo-quiet-edge', 'Quiet Edge (demo)', 'elite', 0.5, 0.18, { namesBook: false }),
  capper('demo-harbor', 'Harbor Analytics (demo)', 'verified_sharp', 0.3, 0.54),
  capper('demo-fifth-down', 'Fifth Down (demo)', 'verified_sharp', 0.15, 0.48),
  capper('demo-late-money', 'Late Money (demo)', 'verified_sharp', -0.2, 0.58),
  capper('demo-copperfield', 'Copperfield (demo)', 'verified_sharp', -0.1, 0.45),
  capper('demo-weekender', 'Weekender (demo)', 'listed', -0.05, 0.21),
  capper('demo-gut-feeling', 'Gut Feeling (demo)', 'listed', -0.2, 0.42, { exaggerates: 0.01 }),
  capper('demo-parlour', 'The Parlour (demo)', 'listed', 0, 0.21, { namesBook: false }),
  capper('demo-longshots', 'Longshots (demo)', 'listed', -0.15, 0.24, { exaggerates: 0.05 }),
  capper('demo-home-team', 'Home Team (demo)', 'listed', -0.2, 0.38),
  capper('demo-coin', 'The Coin (demo)', 'listed', 0, 0.38),
  capper('demo-overs-only', 'Overs Only (demo)', 'listed', -0.1, 0.27),
];
