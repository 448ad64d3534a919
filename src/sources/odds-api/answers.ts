import { instant as readInstant } from '../../platform/clock.ts';
import { instant, plainText } from '../../platform/fields.ts';
import { type Checked, checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import { type EventReport, type LeftOut, LeftOutCounts, type Readable, readable } from '../answer.ts';
import { maybeExtraTime } from '../verdict.ts';
import { Refused } from './client.ts';
import { pricesOf } from './prices.ts';
import { mayHaveExtraTime } from './sports.ts';

/** How long before a game its prices are stored, in ms: no board shows earlier ones. */
export const pricesAheadMs = 7 * 86_400_000;

const team = plainText(1, 95);
/** A name, normalized like team names. */
const outcomeName = Type.String({ normalForm: 'NFC' });
const eventFields = {
  id: plainText(1, 100),
  commence_time: instant,
  home_team: team,
  away_team: team,
};
const checkSport = checker(
  Type.Object({
    key: plainText(1, 100),
    active: Type.Boolean(),
    has_outrights: Type.Optional(Type.Boolean()),
  }),
);
const checkEvent = checker(Type.Object(eventFields));
const checkOdds = checker(Type.Object({ ...eventFields, bookmakers: Type.Array(Type.Unknown()) }));
const checkPast = checker(Type.Object({ timestamp: instant, data: Type.Array(Type.Unknown()) }));
const checkScores = checker(
  Type.Object({
    ...eventFields,
    completed: Type.Boolean(),
    scores: Type.Optional(
      Type.Union([
        Type.Array(Type.Object({ name: outcomeName, score: Type.Union([Type.String(), Type.Integer()]) })),
        Type.Null(),
      ]),
    ),
  }),
);

/** The readable part of an answer, and its ignored parts by reason. */
export type Read<T> = Readable<T> & { leftOut: LeftOut };

/**
 * Reads the keys of sports that are in season and have games (`/v4/sports`). Outrights, such as the winner of a league, are not games.
 * @throws Refused if the answer is not a list, or nothing in it is readable
 */
export function readSports(body: unknown): Read<string> {
  const read = readEach(body, checkSport);
  const games = read.items.filter(
    ({ key, active, has_outrights: outrights }) => active && outrights !== true && !key.endsWith('_winner'),
  );
  return { ...read, items: games.map(({ key }) => key) };
}

/** Reads upcoming events (`/v4/sports/{sport}/events`). @throws Refused as {@link readSports} */
export function readEvents(body: unknown): Read<EventReport> {
  const read = readEach(body, checkEvent, isContest);
  return { ...read, items: read.items.map(announced) };
}

/**
 * Reads upcoming and live events with prices (`/v4/sports/{sport}/odds`). Skips and counts invalid prices.
 * @param ways number of sides of a moneyline in this sport
 * @throws Refused as {@link readSports}, and if no price of an answer with prices is readable
 */
export function readOdds(body: unknown, ways: MoneylineWays, now: EpochMs): Read<EventReport> {
  const read = readEach(body, checkOdds, isContest);
  const leftOut = new LeftOutCounts(read.leftOut);
  let prices = 0;
  const items = read.items.map((event) => {
    const report = announced(event);
    if (report.startsAt - now > pricesAheadMs) {
      if (event.bookmakers.length > 0) leftOut.add('event more than a week away');
      return { ...report, prices: [] };
    }
    const found = pricesOf(event.bookmakers, event, ways, leftOut);
    prices += found.length;
    return { ...report, prices: found };
  });
  const counts = leftOut.counts();
  const [reason] = Object.keys(counts).filter((each) => !harmless.has(each));
  if (prices === 0 && reason !== undefined)
    throw new Refused('nonsense', `no price in the answer is readable: ${reason}`);
  return { ...read, items, leftOut: counts };
}

/** Reasons that occur in correct answers. */
const harmless: ReadonlySet<string> = new Set([
  'event more than a week away',
  'outright',
  "pick'em app",
  'price about no player',
]);

/** An answer from the history: prices of a past instant. */
export interface PastOdds extends Read<EventReport> {
  /** The instant of the prices, at or before the requested one. */
  asOf: EpochMs;
}

/** Reads past prices (`/v4/historical/sports/{sport}/odds`). @throws Refused as {@link readOdds} */
export function readPastOdds(body: unknown, ways: MoneylineWays): PastOdds {
  const checked = checkPast(body);
  if (!checked.ok)
    throw new Refused(
      'nonsense',
      `the answer is not from the history: ${faultsText(checked.faults).slice(0, 120)}`,
    );
  const asOf = readInstant(checked.value.timestamp);
  return { ...readOdds(checked.value.data, ways, asOf), asOf };
}

/**
 * Reads events of the last days with scores (`/v4/sports/{sport}/scores`). Scores do not show extra time, so they count only if none was
 * possible.
 * @throws Refused as {@link readSports}
 */
export function readScores(body: unknown, key: string): Read<EventReport> {
  const read = readEach(body, checkScores, isContest);
  const leftOut = new LeftOutCounts(read.leftOut);
  const items = read.items.map((event): EventReport => {
    const report = announced(event);
    const score = event.completed ? scoreOf(event) : undefined;
    if (score === undefined) return report;
    if (!mayHaveExtraTime(key, report.startsAt)) return { ...report, score };
    leftOut.add(`final score: ${maybeExtraTime}`);
    return { ...report, state: 'final', note: maybeExtraTime };
  });
  return { ...read, items, leftOut: leftOut.counts() };
}

function readEach<T>(
  body: unknown,
  check: (value: unknown) => Checked<T>,
  concerns: (value: unknown) => boolean = () => true,
): Read<T> {
  if (!Array.isArray(body)) throw new Refused('nonsense', 'the answer is not a list');
  const wanted = body.filter(concerns);
  const read = readable(wanted, check);
  const leftOut = new LeftOutCounts();
  leftOut.add('outright', body.length - wanted.length);
  leftOut.add('unreadable event', read.unreadable);
  if (read.items.length === 0 && read.unreadable > 0)
    throw new Refused('nonsense', `nothing in the answer is readable: ${read.example}`);
  return { ...read, leftOut: leftOut.counts() };
}

/** Reports whether an item is a game. Outrights, such as the winner of a league, name no teams. */
function isContest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { home_team: home, away_team: away } = value as Record<string, unknown>;
  return !(home === null && away === null);
}

interface Teams {
  home_team: string;
  away_team: string;
}

function announced(event: Teams & { id: string; commence_time: string }): EventReport {
  return {
    eventId: event.id,
    away: event.away_team,
    home: event.home_team,
    startsAt: readInstant(event.commence_time),
  };
}

type Scored = Teams & { scores?: { name: string; score: string | number }[] | null };

function scoreOf({ home_team, away_team, scores }: Scored): { away: number; home: number } | undefined {
  const points = (team: string) => {
    const found = (scores ?? []).filter(({ name }) => name === team).map(({ score }) => String(score));
    return found.length === 1 && /^\d{1,4}$/.test(found[0]!) ? Number(found[0]) : undefined;
  };
  const home = points(home_team);
  const away = points(away_team);
  return home === undefined || away === undefined || home_team === away_team ? undefined : { away, home };
}
