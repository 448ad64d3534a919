import type { LineRow } from '../intake/price.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { iso } from '../platform/clock.ts';
import { type DemoCapper, demoCappers } from './cappers.ts';
import { americanOf, decimalOf, followedCaptures, type Offer } from './prices.ts';
import { oneOf, type Random, whole } from './random.ts';
import type { GameName, Timed } from './rows.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface OfferedGame {
  name: GameName;
  startsAt: EpochMs;
  /** The earliest start known so far. Nobody posts after it. */
  until: EpochMs;
  offers: readonly Offer[];
  /** By name of market, for the texts of picks. */
  labels: ReadonlyMap<string, string>;
}

/** Minimum time between a pick and its game, in milliseconds: enough for the checkpoint before the start to cover the pick. */
export const postedBefore = 10 * minute;

/** Generates picks at recent prices. Skilled cappers find the best value more often. */
export function picksOn(game: OfferedGame, random: Random): Timed<ImportedPickRow>[] {
  const picks: Timed<ImportedPickRow>[] = [];
  for (const capper of demoCappers) {
    if (random() > capper.activity) continue;
    const at = postingTime(game, random);
    if (isOutdated(game, at)) continue;
    const first = choose(capper, newestPrices(game, at), random);
    if (first === undefined) continue;
    picks.push(pickAt(game, capper, at, first, random));
    if (random() > 0.12) continue;
    // The second pick is on another market, or hedges the first one.
    const later = at + Math.floor((random() * (game.until - postedBefore - at)) / minute) * minute;
    if (isOutdated(game, later)) continue;
    const hedges = random() < 0.2;
    const others = newestPrices(game, later).filter(({ market, subject, side }) =>
      market === first.market && subject === first.subject ? hedges && side !== first.side : !hedges,
    );
    const second = choose(capper, others, random);
    if (second !== undefined) picks.push(pickAt(game, capper, later, second, random));
  }
  return picks;
}

/** Returns when a capper posts: usually right after a capture of prices. */
function postingTime({ startsAt, until }: OfferedGame, random: Random): number {
  const second = whole(random, 0, 59) * 1000;
  const [isPrompt, before] = [random() < 0.75, oneOf(random, followedCaptures)];
  const at = isPrompt
    ? startsAt - (before - whole(random, 1, 3)) * minute + second
    : until - Math.round((0.25 + random() * random() * 7) * hour) + second;
  return Math.floor(Math.min(at, until - postedBefore) / 1000) * 1000;
}

/** Radius within which the price check looks first (docs/rules/prices.md#the-verdict), in milliseconds. */
const nearMs = 15 * minute;

/** Reports whether the next prices are nearer to a pick than its own. If they have moved, its odds would look made up. */
function isOutdated({ offers }: OfferedGame, at: number): boolean {
  const instants = offers.map((offer) => offer.at);
  return (
    instants.some((each) => each >= at && each - at <= nearMs) &&
    !instants.some((each) => each < at && at - each <= nearMs)
  );
}

/** Returns the newest prices of each selection, without the best one of several: docs/rules/prices.md never counts above the second highest. */
function newestPrices({ offers }: OfferedGame, at: number): Offer[] {
  const newest = Math.max(...offers.filter((offer) => offer.at < at).map((offer) => offer.at));
  const selections = Map.groupBy(
    offers.filter((offer) => offer.at === newest),
    ({ market, subject, side, line }) => [market, subject, side, line].join('\n'),
  );
  return [...selections.values()].flatMap((same) =>
    same.length === 1 ? same : same.toSorted((a, b) => b.edge - a.edge).slice(1),
  );
}

function choose({ skill }: DemoCapper, offers: readonly Offer[], random: Random): Offer | undefined {
  if (offers.length === 0) return undefined;
  const any = oneOf(random, offers);
  if (random() > Math.abs(skill)) return any;
  const sign = Math.sign(skill);
  return offers.reduce((best, offer) => (sign * offer.edge > sign * best.edge ? offer : best));
}

function pickAt(
  game: OfferedGame,
  { handle, namesBook, exaggerates }: DemoCapper,
  at: number,
  { at: _, edge: __, ...bet }: Offer,
  random: Random,
): Timed<ImportedPickRow> {
  const isClaim = random() < exaggerates;
  const oddsAmerican = isClaim
    ? americanOf(1 / (decimalOf(bet.oddsAmerican) * (1.15 + random() * 0.15)))
    : bet.oddsAmerican;
  return {
    at,
    row: {
      ...game.name,
      ...bet,
      oddsAmerican,
      book: namesBook ? bet.book : null,
      pick: textOf(game, bet),
      stakeUnits: oneOf(random, [0.5, 1, 1, 1, 1.5, 2]),
      capperHandle: handle,
      source: 'demo',
      postedAt: iso(at),
    },
  };
}

type Bet = Pick<LineRow, 'market' | 'subject' | 'side' | 'line'>;

function textOf({ name: { game }, labels }: OfferedGame, { market, subject, side, line }: Bet): string {
  const [away = '', home = ''] = game.split(' @ ');
  const signed = line != null && line > 0 ? `+${line}` : String(line);
  const team = side.startsWith('home') ? home : away;
  const label = labels.get(market);
  if (label !== undefined) return `${subject} ${side} ${line} ${label}`;
  switch (market) {
    case 'total':
      return `${side === 'over' ? 'Over' : 'Under'} ${line}`;
    case 'first_half_total':
      return `First half ${side} ${line}`;
    case 'team_total':
      return `${team} ${side.endsWith('over') ? 'over' : 'under'} ${line}`;
    case 'first_half_spread':
      return `${team} ${signed} first half`;
    case 'spread':
      return `${team} ${signed}`;
    default:
      return side === 'draw' ? 'Draw' : `${team} to win`;
  }
}
