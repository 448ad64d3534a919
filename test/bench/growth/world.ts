import { normal, oneOf, type Random, randomOf, whole } from '../../../src/demo/random.ts';
import type { GameRow } from '../../../src/intake/game.ts';
import type { LineRow } from '../../../src/intake/price.ts';
import type { ImportedPickRow } from '../../../src/ledger/posting/pick-row.ts';
import type { Tier } from '../../../src/rules/vocabulary.ts';

/** A fictional service, day by day. The same size and number of days yield the same rows. */
export interface World {
  length: number;
  cappers: { handle: string; tier: Tier; verified: boolean }[];
  /** Noon Eastern Time on its last day, with that day's games in the future. Epoch milliseconds. */
  now: number;
  /** The oldest first. */
  days(): Generator<WorldDay>;
}

/** The rows of one day, in the format of files that `ingest` accepts. */
export interface WorldDay {
  games: GameRow[];
  lines: LineRow[];
  picks: ImportedPickRow[];
}

/** Number of picks per game. */
const picksPerGame = 25;

const day = 86_400_000;
const hour = 3_600_000;
const now = Date.parse('2026-01-11T17:00:00Z');
const cappersInAll = 1000;

/** How often each sport is played, and its scores. There is no tennis: a filter by it finds nothing. */
const sports = [
  { key: 'nba', share: 26, mean: 113, spread: 12 },
  { key: 'nfl', share: 14, mean: 23, spread: 9 },
  { key: 'mlb', share: 22, mean: 4, spread: 3 },
  { key: 'nhl', share: 16, mean: 3, spread: 2 },
  { key: 'ncaab', share: 12, mean: 72, spread: 11 },
  { key: 'soccer', share: 10, mean: 1.4, spread: 1.2 },
];
type Sport = (typeof sports)[number];

/** @param gamesPerDay each with 25 picks */
export function growthWorld(days: number, gamesPerDay: number): World {
  const cappers = Array.from({ length: cappersInAll }, (_, index) => ({
    handle: `capper-${String(index + 1).padStart(4, '0')}`,
    tier: (index % 20 === 3 ? 'elite' : index % 7 === 2 ? 'verified_sharp' : 'listed') as Tier,
    verified: true,
  }));
  return {
    cappers,
    now,
    length: days,
    *days() {
      for (let index = 0; index < days; index += 1)
        yield worldDay(
          now - (days - 1 - index) * day,
          gamesPerDay,
          randomOf(`growth ${days - index}`),
          cappers.map(({ handle }) => handle),
        );
    },
  };
}

function worldDay(noon: number, gamesPerDay: number, random: Random, handles: readonly string[]): WorldDay {
  const rows: WorldDay = { games: [], lines: [], picks: [] };
  const played = noon < now;
  for (let index = 0; index < gamesPerDay; index += 1) {
    const sport = byShare(random);
    const start = noon + hour + Math.floor((index * 8 * hour) / gamesPerDay);
    const game = gameOf(sport, start, index, random, played);
    rows.games.push(game);
    const offers = offersOf(sport, random);
    for (const offer of offers) rows.lines.push(...linesOf(game, offer, start, random, played));
    for (let pick = 0; pick < picksPerGame; pick += 1)
      rows.picks.push(pickOf(game, oneOf(random, offers), start, random, handles));
  }
  rows.picks.sort((a, b) => (a.postedAt < b.postedAt ? -1 : 1));
  return rows;
}

function byShare(random: Random): Sport {
  let left = random() * 100;
  for (const sport of sports) {
    left -= sport.share;
    if (left < 0) return sport;
  }
  return sports[0]!;
}

function gameOf({ key, mean, spread }: Sport, start: number, index: number, random: Random, played: boolean) {
  const team = () => `${key.toUpperCase()} ${whole(random, 1, 15)}`;
  const score = () => Math.max(0, Math.round(mean + spread * normal(random)));
  const game = { sport: key, game: `${team()} ${index % 2} @ ${team()} Home`, startsAt: at(start) };
  if (!played) return { ...game, status: 'scheduled' } as GameRow;
  const finalAt = at(start + 2 * hour + whole(random, 0, 90) * 60_000);
  if (random() < 0.005) return { ...game, status: 'cancelled', finalAt } as GameRow;
  return { ...game, status: 'final', homeScore: score(), awayScore: score(), finalAt } as GameRow;
}

/** One side of a market, with the probability that its price is derived from. */
interface Offer {
  market: string;
  side: string;
  line: number | null;
  probability: number;
}

function offersOf({ key, mean, spread }: Sport, random: Random): Offer[] {
  const handicap = Math.round(normal(random) * spread * 0.5 * 2) / 2;
  const total = Math.round(2 * (2 * mean + normal(random) * spread * 0.3)) / 2;
  const favorite = Math.min(0.85, Math.max(0.15, 0.5 - handicap / (4 * spread)));
  const draw = key === 'soccer' ? 0.26 : 0;
  return [
    { market: 'spread', side: 'home', line: handicap, probability: 0.5 },
    { market: 'spread', side: 'away', line: handicap === 0 ? 0 : -handicap, probability: 0.5 },
    { market: 'total', side: 'over', line: total, probability: 0.5 },
    { market: 'total', side: 'under', line: total, probability: 0.5 },
    { market: 'moneyline', side: 'home', line: null, probability: favorite * (1 - draw) },
    { market: 'moneyline', side: 'away', line: null, probability: (1 - favorite) * (1 - draw) },
    ...(draw > 0 ? [{ market: 'moneyline', side: 'draw', line: null, probability: draw }] : []),
  ];
}

/** Returns a price two hours before the start, and one at the start unless the game is in the future. */
function linesOf(
  { sport, game, startsAt }: GameRow,
  { market, side, line, probability }: Offer,
  start: number,
  random: Random,
  played: boolean,
): LineRow[] {
  const instants = played ? [start - 3 * hour, start] : [now - hour];
  return instants.map((instant, index) => ({
    sport,
    game,
    ...(startsAt === undefined ? {} : { startsAt }),
    market,
    side,
    line,
    oddsAmerican: priceOf(probability, random),
    capturedAt: at(instant),
    closing: index === 1,
    book: 'north',
  }));
}

function pickOf(
  { sport, game, startsAt }: GameRow,
  { market, side, line, probability }: Offer,
  start: number,
  random: Random,
  handles: readonly string[],
): ImportedPickRow {
  // A few cappers post most.
  const capper = handles[Math.floor(random() ** 1.3 * handles.length)]!;
  const latest = Math.min(start - 600_000, now - 60_000);
  const moved = line !== null && random() < 0.25 ? 0.5 : 0;
  return {
    capperHandle: capper,
    sport,
    game,
    ...(startsAt === undefined ? {} : { startsAt }),
    market,
    side,
    line: line === null ? null : line + moved,
    pick: `${side} ${line ?? ''}`.trim(),
    oddsAmerican: priceOf(probability, random),
    stakeUnits: whole(random, 1, 10) / 2,
    book: random() < 0.7 ? 'north' : null,
    postedAt: at(latest - Math.floor(random() ** 2 * 18 * hour)),
  };
}

/** Returns a price with the book's margin, slightly varied. */
function priceOf(probability: number, random: Random): number {
  const decimal = 1 / (probability * (1.03 + 0.05 * random()));
  return decimal >= 2
    ? Math.min(2000, Math.round((decimal - 1) * 100))
    : -Math.min(2000, Math.round(100 / (decimal - 1)));
}

function at(instant: number): string {
  return new Date(instant).toISOString();
}
