import type { GameRow } from '../games/game.ts';
import type { LineRow } from '../games/lines.ts';
import type { ResultRow } from '../games/results.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { iso } from '../platform/clock.ts';
import { type DemoCapper, demoCappers } from './cappers.ts';
import { normal, oneOf, type Random, randomOf, whole } from './random.ts';
import type { DemoSport } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A row and the instant at which it becomes known, epoch milliseconds. */
export interface Timed<T> {
  at: number;
  row: T;
}

/** All rows of one game. */
export interface DemoGame {
  games: Timed<GameRow>[];
  lines: Timed<LineRow>[];
  picks: Timed<ImportedPickRow>[];
  results: Timed<ResultRow>[];
}

/** How long before its start a game is announced, its first row, in milliseconds. */
export const announcedBefore = 24 * hour;
/** Limit on the time from a game's announced start to its last row, in milliseconds. */
export const settledWithin = 6 * hour;

/** Generates a game from its announcement to the final score. The same sport and slot give the same game. */
export function demoGame(sport: DemoSport, slot: number): DemoGame {
  const random = randomOf(`${sport.key}/${slot}`);
  // Offset by sport, so that starts are spread over the day.
  const start = slot * sport.every * minute + randomOf(sport.key)() * sport.every * minute;
  const announced = Math.round(start / (5 * minute)) * 5 * minute;
  const pairs = pairsOf(sport);
  const pair = pairs[((slot % pairs.length) + pairs.length) % pairs.length]!;
  const [luck, other] = [random(), random()];
  const [home, away] = luck < other ? pair : pair.toReversed();
  const name = { sport: sport.key, game: `${away} @ ${home}`, startsAt: iso(announced) };
  const startsAt = announced + moveOf(random);
  // Hidden truth: how many points better the home side is, and how many points are expected in total.
  const edge = normal(random) * sport.scatter * 0.6;
  const pace = sport.points * 2 * (1 + normal(random) * 0.05);
  const rows: DemoGame = { games: [], lines: [], picks: [], results: [] };
  rows.games.push({ at: announced - announcedBefore, row: { ...name, status: 'scheduled' } });
  if (startsAt !== announced)
    rows.games.push({
      at: announced - 6 * hour,
      row: { ...name, status: 'scheduled', movedTo: iso(startsAt) },
    });
  const offers = addPrices(rows, sport, name, startsAt, edge, random);
  // Posted before the announced start, where the game was moved to later.
  addPicks(rows, sport, name, Math.min(announced, startsAt), edge, offers, random);
  addOutcome(rows, sport, name, startsAt, edge, pace, random);
  return rows;
}

type Pair = readonly [string, string];
const pairsBySport = new Map<string, readonly Pair[]>();

/**
 * Every pair of a sport's sides, in the order in which they meet. A pair meets again only after all others have, days later: while a game
 * is undecided, another one of its pair takes no picks (docs/rules/games.md#games-of-one-pair).
 */
function pairsOf({ key, sides }: DemoSport): readonly Pair[] {
  const known = pairsBySport.get(key);
  if (known !== undefined) return known;
  const random = randomOf(`${key}/pairs`);
  const pairs = sides
    .flatMap((one, index) => sides.slice(index + 1).map((other): Pair => [one, other]))
    .map((pair) => ({ pair, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ pair }) => pair);
  pairsBySport.set(key, pairs);
  return pairs;
}

/** How far a game's start is moved, in milliseconds: few are. */
function moveOf(random: Random): number {
  return random() < 0.02 ? oneOf(random, [-20, 30, 45, 60]) * minute : 0;
}

interface Name {
  sport: string;
  game: string;
  startsAt: string;
}

/** The price of one side at one moment, which a pick can be posted at. */
interface Offer {
  at: number;
  market: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  book: string;
  /** True probability minus the probability that the bookmaker assumes. */
  value: number;
}

const books = ['demo-north', 'demo-south'];

/** Adds prices that start off the truth and approach it until the start. */
function addPrices(
  rows: DemoGame,
  sport: DemoSport,
  name: Name,
  startsAt: number,
  edge: number,
  random: Random,
): Offer[] {
  const offers: Offer[] = [];
  const miss = normal(random) * sport.scatter * 0.35;
  const others = otherMarkets(sport, random);
  for (const book of books)
    for (const [before, share] of [
      [23.5, 1],
      [12, 0.75],
      [5, 0.5],
      [2, 0.25],
      [5 / 60, 0.1],
    ] as const) {
      const at = startsAt - Math.round(before * hour);
      const seen = edge + miss * share + (random() - 0.5) * sport.scatter * 0.1;
      const add = (market: string, side: string, line: number | null, chance: number, truth: number) => {
        const oddsAmerican = americanOf(Math.min(0.97, Math.max(0.03, chance * 1.045)));
        const row = {
          ...name,
          market,
          side,
          line,
          oddsAmerican,
          capturedAt: iso(at),
          closing: before < 1,
          book,
        };
        rows.lines.push({ at, row });
        offers.push({ at, market, side, line, oddsAmerican, book, value: truth - chance });
      };
      const z = (points: number) => logistic((1.7 * points) / (sport.scatter * 0.8));
      const tie = sport.draws ? 0.26 : 0;
      add('moneyline', 'home', null, z(seen) * (1 - tie), z(edge) * (1 - tie));
      add('moneyline', 'away', null, (1 - z(seen)) * (1 - tie), (1 - z(edge)) * (1 - tie));
      if (sport.draws) add('moneyline', 'draw', null, tie, tie);
      if (sport.hasSpread) {
        const line = -Math.round(seen * 2) / 2 || 0;
        add('spread', 'home', line, z(seen + line), z(edge + line));
        add('spread', 'away', 0 - line, 1 - z(seen + line), 1 - z(edge + line));
      }
      const total = Math.round(2 * (sport.total ?? 2 * sport.points)) / 2 + whole(random, -1, 1) / 2;
      const drift = (random() - 0.5) * 0.06;
      if (sport.points > 1) {
        add('total', 'over', total, 0.5 + drift, 0.5);
        add('total', 'under', total, 0.5 - drift, 0.5);
      }
      if (before > 6) continue;
      for (const { market, over, under, line } of others) {
        add(market, over, line, 0.5 + drift, 0.5);
        add(market, under, market === 'first_half_spread' ? 0 - line : line, 0.5 - drift, 0.5);
      }
    }
  return offers;
}

/** Two sides at even chances. The line is that of the first. */
interface OtherMarket {
  market: string;
  over: string;
  under: string;
  line: number;
}

/** What some games are offered beside the main markets, in the last hours. */
function otherMarkets({ points, hasSpread }: DemoSport, random: Random): OtherMarket[] {
  const kind = random();
  const line = (mean: number) => Math.round(mean * 2) / 2 + whole(random, -1, 1) / 2;
  if (!hasSpread || kind < 0.6) return [];
  if (kind < 0.75)
    return ['home', 'away'].map((team) => ({
      market: 'team_total',
      over: `${team}_over`,
      under: `${team}_under`,
      line: line(points),
    }));
  return [
    { market: 'first_half_total', over: 'over', under: 'under', line: line(points) },
    { market: 'first_half_spread', over: 'home', under: 'away', line: line(0) },
  ];
}

/** Adds picks at prices of the last hours before posting. Skilled cappers find the best value more often. */
function addPicks(
  rows: DemoGame,
  sport: DemoSport,
  name: Name,
  startsAt: number,
  edge: number,
  offers: readonly Offer[],
  random: Random,
): void {
  for (const capper of demoCappers) {
    if (random() > capper.activity) continue;
    const postedAt =
      startsAt - Math.round((0.2 + random() * random() * 9) * hour) + whole(random, 0, 59) * 1000;
    const first = addPick(rows, name, capper, postedAt, offers, random);
    if (first === undefined || random() > 0.12) continue;
    // Somewhere between the first one and the start: on another market, or against the first one as a hedge.
    const secondAt = postedAt + Math.floor((random() * (startsAt - postedAt)) / minute) * minute;
    const hedges = random() < 0.2;
    const others = offers.filter(({ market, side }) =>
      hedges ? market === first.market && side !== first.side : market !== first.market,
    );
    addPick(rows, name, capper, secondAt, others, random);
  }
  if (random() < 0.08 && sport.points > 20) addProp(rows, name, startsAt, edge, random);
}

/** Adds a pick at one of the offers that stand at the moment, if there are any. */
function addPick(
  rows: DemoGame,
  name: Name,
  capper: DemoCapper,
  postedAt: number,
  offers: readonly Offer[],
  random: Random,
): Offer | undefined {
  const standing = offers.filter(({ at }) => at < postedAt && postedAt - at < 6 * hour);
  // Nobody takes odds that are about to move: minutes later their price is gone.
  if (offers.some(({ at }) => at >= postedAt && at - postedAt <= 15 * minute)) return undefined;
  const offer = choose(capper, standing, random);
  if (offer === undefined) return undefined;
  const { at, value, ...bet } = offer;
  const stakeUnits = oneOf(random, [0.5, 1, 1, 1, 1.5, 2]);
  const book = capper.namesBook ? bet.book : null;
  rows.picks.push(
    demoPick(capper, postedAt, { ...name, ...bet, book, pick: textOf(name, offer), stakeUnits }),
  );
  return offer;
}

function demoPick(
  { handle }: DemoCapper,
  postedAt: number,
  bet: Omit<ImportedPickRow, 'capperHandle' | 'source' | 'postedAt'>,
): Timed<ImportedPickRow> {
  return { at: postedAt, row: { ...bet, capperHandle: handle, source: 'demo', postedAt: iso(postedAt) } };
}

function choose(capper: DemoCapper, offers: readonly Offer[], random: Random): Offer | undefined {
  const latest = new Map<string, Offer>();
  for (const offer of offers) latest.set(`${offer.market}/${offer.side}/${offer.book}`, offer);
  const open = [...latest.values()];
  if (open.length === 0) return undefined;
  if (random() > capper.skill) return oneOf(random, open);
  return open.reduce((best, offer) => (offer.value > best.value ? offer : best));
}

function addProp(rows: DemoGame, name: Name, startsAt: number, edge: number, random: Random): void {
  const capper = oneOf(random, demoCappers);
  const line = whole(random, 12, 29) + 0.5;
  const bet = { ...name, market: 'player_points', subject: 'Home captain', side: 'over', line };
  const postedAt = startsAt - whole(random, 30, 300) * minute;
  const finalAt = startsAt + 3 * hour;
  const pick = `Home captain over ${line} points`;
  const seenAt = postedAt - 5 * minute;
  const price = { oddsAmerican: -115, capturedAt: iso(seenAt), closing: false, book: books[0]! };
  rows.lines.push({ at: seenAt, row: { ...bet, ...price } });
  rows.picks.push(demoPick(capper, postedAt, { ...bet, pick, oddsAmerican: -115, stakeUnits: 1 }));
  const result = normal(random) + edge / 20 > 0.05 ? 'win' : 'loss';
  rows.results.push({ at: finalAt, row: { ...bet, result, finalAt: iso(finalAt) } });
}

function addOutcome(
  rows: DemoGame,
  sport: DemoSport,
  name: Name,
  startsAt: number,
  edge: number,
  pace: number,
  random: Random,
): void {
  const fate = random();
  if (fate < 0.004) {
    rows.games.push({ at: startsAt, row: { ...name, status: 'postponed' } });
    return;
  }
  const finalAt = startsAt + (sport.minutes + whole(random, -8, 8)) * minute;
  if (fate < 0.007) {
    rows.games.push({ at: finalAt, row: { ...name, status: 'cancelled', finalAt: iso(finalAt) } });
    return;
  }
  const margin = edge + normal(random) * sport.scatter * 0.8;
  const sum = pace + normal(random) * sport.scatter * 0.9;
  let homeScore = Math.max(0, Math.round((sum + margin) / 2));
  let awayScore = Math.max(0, Math.round((sum - margin) / 2));
  if (homeScore === awayScore && !sport.draws && sport.key !== 'nfl') {
    if (margin > 0) homeScore += 1;
    else awayScore += 1;
  }
  if (sport.key === 'tennis') {
    rows.games.push({
      at: finalAt,
      row: { ...name, status: 'final', ...matchOf(margin, random), finalAt: iso(finalAt) },
    });
    return;
  }
  const row = { ...name, status: 'final', homeScore, awayScore, finalAt: iso(finalAt) } as const;
  if (!sport.hasSpread) {
    rows.games.push({ at: finalAt, row });
    return;
  }
  const half = () => Math.min(1, Math.max(0, 0.5 + normal(random) * 0.06));
  const halfScores = {
    homeHalfScore: Math.floor(homeScore * half()),
    awayHalfScore: Math.floor(awayScore * half()),
  };
  // Now and then the scores of the halves come after the final one.
  const isLate = random() < 0.05;
  rows.games.push({ at: finalAt, row: isLate ? row : { ...row, ...halfScores } });
  if (isLate) rows.games.push({ at: finalAt + 20 * minute, row: { ...row, ...halfScores } });
}

/** A match of up to three sets that the home side wins where the margin is above zero. */
function matchOf(margin: number, random: Random): Pick<GameRow, 'homeScore' | 'awayScore' | 'sets'> {
  const isLong = random() < 0.4;
  const winners = isLong
    ? oneOf(random, [
        [false, true, true],
        [true, false, true],
      ])
    : [true, true];
  const sets = winners.map((favored) => {
    const lost = oneOf(random, [1, 2, 3, 3, 4, 4, 4, 5, 6]);
    const [most, least] = [lost > 4 ? 7 : 6, lost];
    return favored === margin > 0 ? [most, least] : [least, most];
  });
  const lostSets = isLong ? 1 : 0;
  return margin > 0
    ? { homeScore: 2, awayScore: lostSets, sets }
    : { homeScore: lostSets, awayScore: 2, sets };
}

function textOf({ game }: Name, { market, side, line }: Offer): string {
  const [away = '', home = ''] = game.split(' @ ');
  const signed = line !== null && line > 0 ? `+${line}` : String(line);
  const team = side.startsWith('home') ? home : away;
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

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** American odds of a probability, in steps of 5 as bookmakers quote them. */
function americanOf(chance: number): number {
  const odds = chance >= 0.5 ? (-100 * chance) / (1 - chance) : (100 * (1 - chance)) / chance;
  const stepped = Math.round(odds / 5) * 5;
  // Even money is quoted as +100.
  return Math.abs(stepped) <= 100 ? 100 : stepped;
}
