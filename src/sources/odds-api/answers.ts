import { Type } from 'typebox';
import { instant as readInstant } from '../../platform/clock.ts';
import { americanOdds, instant, plainText, priceLine, slug } from '../../platform/fields.ts';
import { type Checked, checker, faultsText } from '../../platform/schema.ts';
import { lineToE3 } from '../../rules/fixed-point.ts';
import { markets } from '../../rules/markets/index.ts';
import type { Market, MoneylineWays } from '../../rules/markets/market.ts';
import type { EventReport, PriceReport } from '../apply-reports.ts';
import { Refused } from './client.ts';

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
const checkSport = checker(Type.Object({ key: plainText(1, 100), active: Type.Boolean() }));
const checkEvent = checker(Type.Object(eventFields));
const checkOdds = checker(Type.Object({ ...eventFields, bookmakers: Type.Array(Type.Unknown()) }));
const checkBook = checker(
  Type.Object({ key: slug, last_update: Type.Optional(instant), markets: Type.Array(Type.Unknown()) }),
);
const market = Type.Object({
  key: Type.String(),
  last_update: Type.Optional(instant),
  outcomes: Type.Array(
    Type.Object({
      name: outcomeName,
      description: Type.Optional(outcomeName),
      price: americanOdds,
      point: priceLine,
    }),
    { maxItems: 10 },
  ),
});
const checkMarket = checker(market);
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
}

/** Keys of the sports that are in season (`/v4/sports`). @throws Refused when the answer is not a list, or nothing in it is readable */
export function readSports(body: unknown): Read<string> {
  const read = readEach(body, checkSport);
  return { ...read, items: read.items.filter(({ active }) => active).map(({ key }) => key) };
}

/** Upcoming events (`/v4/sports/{sport}/events`). @throws Refused as {@link readSports} */
export function readEvents(body: unknown): Read<EventReport> {
  const read = readEach(body, checkEvent, isContest);
  return { ...read, items: read.items.map(announced) };
}

/**
 * Upcoming and live events with prices (`/v4/sports/{sport}/odds`). A malformed market, such as one without a side or with a draw that the
 * sport does not have, is skipped alone.
 * @param ways how many sides a moneyline has in this sport
 * @param now epoch milliseconds
 * @throws Refused as {@link readSports}
 */
export function readOdds(body: unknown, ways: MoneylineWays, now: number): Read<EventReport> {
  const read = readEach(body, checkOdds, isContest);
  const items = read.items.map((event) => {
    const report = announced(event);
    const near = report.startsAt - now <= pricesAheadMs;
    return { ...report, prices: near ? event.bookmakers.flatMap((book) => pricesOf(book, event, ways)) : [] };
  });
  return { ...read, items };
}

/** Events of the last days with their scores (`/v4/sports/{sport}/scores`). @throws Refused as {@link readSports} */
export function readScores(body: unknown): Read<EventReport> {
  const read = readEach(body, checkScores, isContest);
  const items = read.items.map((event) => {
    const score = event.completed ? scoreOf(event) : undefined;
    return { ...announced(event), ...(score === undefined ? {} : { score }) };
  });
  return { ...read, items };
}

function readEach<T>(
  body: unknown,
  check: (value: unknown) => Checked<T>,
  concerns: (value: unknown) => boolean = () => true,
): Read<T> {
  if (!Array.isArray(body)) throw new Refused('nonsense', 'the answer is not a list');
  const read: Read<T> = { items: [], unreadable: 0, example: null };
  for (const value of body) {
    if (!concerns(value)) continue;
    const checked = check(value);
    if (checked.ok) read.items.push(checked.value);
    else {
      read.unreadable += 1;
      read.example ??= faultsText(checked.faults).slice(0, 120);
    }
  }
  if (read.items.length === 0 && read.unreadable > 0)
    throw new Refused('nonsense', `nothing in the answer can be read: ${read.example}`);
  return read;
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

function pricesOf(given: unknown, teams: Teams, ways: MoneylineWays): PriceReport[] {
  const book = checkBook(given);
  if (!book.ok) return [];
  return book.value.markets.flatMap((each) => {
    const checked = checkMarket(each);
    if (!checked.ok) return [];
    const { key, last_update: own, outcomes } = checked.value;
    const declared = markets.find(({ oddsApi }) => oddsApi.key === key);
    const updated = own ?? book.value.last_update;
    if (declared === undefined || updated === undefined) return [];
    const prices = outcomes.flatMap((outcome) => {
      const side = declared.oddsApi.side(outcome, { home: teams.home_team, away: teams.away_team });
      if (side === null) return [];
      return {
        market: declared.name,
        side,
        line: declared.line === null ? null : (outcome.point ?? null),
        oddsAmerican: outcome.price,
        capturedAt: readInstant(updated),
        book: book.value.key,
      };
    });
    return prices.length === outcomes.length ? wholeContests(declared, prices, ways) : [];
  });
}

/** The prices of a market by contest; empty when sides are missing or extra, or their lines do not match. */
function wholeContests(
  { contests, line }: Market,
  prices: readonly PriceReport[],
  ways: MoneylineWays,
): PriceReport[] {
  const whole = contests(ways).flatMap((sides) => {
    const own = prices.filter(({ side }) => sides.includes(side));
    const lines = own.map(({ side, line: given }) => {
      const lineE3 = lineToE3(given);
      return line === null || lineE3 === null ? null : line.shared(side, lineE3);
    });
    const isWhole =
      own.length === sides.length &&
      sides.every((side) => own.some((price) => price.side === side)) &&
      lines.every((each) => each === lines[0] && (each === null) === (line === null));
    return isWhole ? own : [];
  });
  const known = prices.every(({ side }) => contests(ways).some((sides) => sides.includes(side)));
  return known ? whole : [];
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
