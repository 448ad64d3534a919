import { instant as readInstant } from '../../platform/clock.ts';
import { instant, plainText } from '../../platform/fields.ts';
import { type Checked, checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import { type EventReport, type LeftOut, LeftOutCounts } from '../answer.ts';
import { maybeExtraTime } from '../verdict.ts';
import { Refused } from './client.ts';
import { mayHaveExtraTime } from './extra-time.ts';
import { pricesOf } from './prices.ts';

/** How long before a game its prices are stored: no board shows earlier ones. */
export const pricesAheadMs = 7 * 86_400_000;

const team = plainText(1, 95);
/** A name in the normal form of team names. */
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

/** The readable part of an answer, and how much was unreadable. */
export interface Read<T> {
  items: T[];
  unreadable: number;
  /** Fault of the first unreadable item. */
  example: string | null;
  /** What was left out of the readable items, by reason. */
  leftOut: LeftOut;
}

/**
 * Keys of the sports that are in season and have games (`/v4/sports`): who wins a league is no game.
 * @throws Refused when the answer is not a list, or nothing in it is readable
 */
export function readSports(body: unknown): Read<string> {
  const read = readEach(body, checkSport);
  const games = read.items.filter(
    ({ key, active, has_outrights: outrights }) => active && outrights !== true && !key.endsWith('_winner'),
  );
  return { ...read, items: games.map(({ key }) => key) };
}

/** Upcoming events (`/v4/sports/{sport}/events`). @throws Refused as {@link readSports} */
export function readEvents(body: unknown): Read<EventReport> {
  const read = readEach(body, checkEvent, isContest);
  return { ...read, items: read.items.map(announced) };
}

/**
 * Upcoming and live events with prices (`/v4/sports/{sport}/odds`). What cannot be a price is left out and counted.
 * @param ways how many sides a moneyline has in this sport
 * @param now epoch milliseconds
 * @throws Refused as {@link readSports}, and where no price of an answer with prices can be read
 */
export function readOdds(body: unknown, ways: MoneylineWays, now: number): Read<EventReport> {
  const read = readEach(body, checkOdds, isContest);
  const leftOut = new LeftOutCounts();
  leftOut.addAll(read.leftOut);
  let prices = 0;
  const items = read.items.map((event) => {
    const report = announced(event);
    if (report.startsAt - now > pricesAheadMs) {
      if (event.bookmakers.length > 0) leftOut.add('event more than a week away');
      return { ...report, prices: [] };
    }
    const found = event.bookmakers.flatMap((book) => pricesOf(book, event, ways, leftOut));
    prices += found.length;
    return { ...report, prices: found };
  });
  const counts = leftOut.counts();
  const [reason] = Object.keys(counts).filter((each) => !harmless.has(each));
  if (prices === 0 && reason !== undefined)
    throw new Refused('nonsense', `no price in the answer can be read: ${reason}`);
  return { ...read, items, leftOut: counts };
}

/** What is left out of answers that are as they should be. */
const harmless: ReadonlySet<string> = new Set(['event more than a week away', 'outright', "pick'em app"]);

/** Prices of one event, with markets that only single events have (`/v4/sports/{sport}/events/{event}/odds`). @throws Refused as {@link readOdds} */
export function readEventOdds(body: unknown, ways: MoneylineWays, now: number): Read<EventReport> {
  return readOdds([body], ways, now);
}

/** An answer of the history: prices as they were at an instant. */
export interface PastOdds extends Read<EventReport> {
  /** The instant, at or before the one asked for; epoch milliseconds. */
  asOf: number;
}

/** Past prices (`/v4/historical/sports/{sport}/odds`). @throws Refused as {@link readOdds} */
export function readPastOdds(body: unknown, ways: MoneylineWays): PastOdds {
  const checked = checkPast(body);
  if (!checked.ok)
    throw new Refused(
      'nonsense',
      `the answer is not one of the history: ${faultsText(checked.faults).slice(0, 120)}`,
    );
  const asOf = readInstant(checked.value.timestamp);
  return { ...readOdds(checked.value.data, ways, asOf), asOf };
}

/**
 * Events of the last days with their scores (`/v4/sports/{sport}/scores`). A score says nothing about extra time, so it counts only where
 * there is none.
 * @throws Refused as {@link readSports}
 */
export function readScores(body: unknown, key: string): Read<EventReport> {
  const read = readEach(body, checkScores, isContest);
  const leftOut = new LeftOutCounts();
  leftOut.addAll(read.leftOut);
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
  const read = { items: [] as T[], unreadable: 0, example: null as string | null };
  const leftOut = new LeftOutCounts();
  for (const value of body) {
    if (!concerns(value)) {
      leftOut.add('outright');
      continue;
    }
    const checked = check(value);
    if (checked.ok) read.items.push(checked.value);
    else {
      read.unreadable += 1;
      leftOut.add('unreadable event');
      read.example ??= faultsText(checked.faults).slice(0, 120);
    }
  }
  if (read.items.length === 0 && read.unreadable > 0)
    throw new Refused('nonsense', `nothing in the answer can be read: ${read.example}`);
  return { ...read, leftOut: leftOut.counts() };
}

/** Outrights (who wins the league) name no teams and are not games. */
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
