// `npm run plans`: what each plan of The Odds API costs with 50 picks a day, and what share of the picks ends `unseen`, because no price of
// their line was read before the start. Plays the planner through a month whose lines move as those of the games in REAL_DATA do. Prints
// the rows of the table in docs/odds-api-plans.md.

import { closingAgeMs } from '../../src/rules/closing-snapshot.ts';
import { nearMs } from '../../src/rules/price-check.ts';
import { horizonMs, reserve, spending } from '../../src/sources/odds-api/credits.ts';
import { type Call, leadMs, type Need, planCalls } from '../../src/sources/odds-api/plan.ts';
import { type LineRow, readFolder } from '../naive/read.ts';
import { begin, januaryWithPicks, seeded } from '../sources/odds-api/january.ts';
import { realData } from '../support/folders.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const folder = realData();
if (folder === undefined)
  throw new Error('There is no REAL_DATA whose lines could move. Set it to a folder of data.');

const sports: Readonly<Record<string, string>> = {
  basketball_nba: 'nba',
  basketball_ncaab: 'nba',
  icehockey_nhl: 'nhl',
  soccer_epl: 'soccer',
  americanfootball_nfl: 'nfl',
  americanfootball_ncaaf: 'nfl',
};
const marketNames: Readonly<Record<string, string>> = {
  h2h: 'moneyline',
  spreads: 'spread',
  totals: 'total',
};

/** The main line of a market at its captures, as milliseconds before the start, earliest first. */
type Path = { before: number; line: number | null }[];

/** Reads how main lines of real games moved, by sport and market. */
function realPaths(lines: readonly LineRow[]): Map<string, Path[]> {
  const main = lines.filter(({ side }) => side === 'home' || side === 'over');
  const paths = Map.groupBy(main, ({ sport, game, startsAt, market, book }) =>
    JSON.stringify([sport, market, game, startsAt, book]),
  );
  const found = [...paths].map(([key, rows]) => {
    const [sport, market] = JSON.parse(key) as string[];
    const captures = Map.groupBy(rows, ({ capturedAt }) => Date.parse(capturedAt));
    const path = [...captures]
      .sort(([a], [b]) => a - b)
      .map(([at, same]) => ({ before: Date.parse(same[0]!.startsAt!) - at, line: nearestToEven(same) }));
    return { name: `${sport} ${market}`, path };
  });
  const moving = found.filter(({ path }) => path.length > 1);
  return new Map(
    [...Map.groupBy(moving, ({ name }) => name)].map(([name, of]) => [name, of.map(({ path }) => path)]),
  );
}

function nearestToEven(rows: readonly LineRow[]): number | null {
  const away = ({ oddsAmerican }: LineRow) => Math.abs(Math.abs(oddsAmerican) - 100);
  return rows.toSorted((a, b) => away(a) - away(b))[0]!.line ?? null;
}

interface SimulatedPick {
  start: number;
  key: string;
  market: string;
  startsAt: number;
  postedAt: number;
  /** Returns the main line at an instant. Between two captures, it moves at a random moment. */
  lineAt(instant: number): number | null;
  isPriced: boolean;
}

function simulatedPicks(paths: ReadonlyMap<string, Path[]>): SimulatedPick[] {
  const random = seeded(55);
  const picks = januaryWithPicks(starts).flatMap(({ key, startsAt, picks }, start) =>
    picks.map(({ market, postedAt }) => {
      const of = paths.get(`${sports[key]} ${marketNames[market]}`) ?? [];
      const path = of[Math.floor(random() * of.length)] ?? [{ before: Number.POSITIVE_INFINITY, line: null }];
      const moves = path.slice(1).map(({ before, line }, at) => {
        const earlier = Math.min(path[at]!.before, day);
        return { at: startsAt - before - random() * Math.max(0, earlier - before), line };
      });
      const lineAt = (instant: number) => moves.findLast(({ at }) => at <= instant)?.line ?? path[0]!.line;
      return { start, key, market, startsAt, postedAt, lineAt, isPriced: false };
    }),
  );
  const twins = picks.slice(0, Math.max(0, 31 * picksADay - picks.length));
  return [...picks, ...twins.map((pick) => ({ ...pick, postedAt: pick.postedAt + 5 * minute }))];
}

/** Starts with picks in the month, and picks a day: some picks have a twin a few minutes later. */
const starts = 713;
const picksADay = 50;
const featured = ['h2h', 'spreads', 'totals'];

interface Month {
  picks: number;
  unseen: number;
  spent: number;
  forPicks: number;
}

function play(paths: ReadonlyMap<string, Path[]>, credits: number, regions: number): Month {
  const picks = simulatedPicks(paths);
  const asked = new Map<string, number>();
  const at = (key: string, eventId: string | null, market: string) =>
    asked.get(`${key} ${eventId} ${market}`) ?? null;
  const oldest = (times: readonly (number | null)[]) =>
    times.includes(null) ? null : Math.min(...(times as number[]));
  const from = Date.UTC(2026, 0, 1);
  const closings: { at: number; credits: number }[] = [];
  const month = { picks: picks.length, unseen: 0, spent: 0, forPicks: 0 };
  for (let now = begin; now < begin + 31 * day; ) {
    const remaining = credits - month.spent;
    const lately = closings.filter((call) => call.at > now - 7 * day);
    const usual =
      lately.reduce((sum, call) => sum + call.credits, 0) / Math.max(1, (now - (lately[0]?.at ?? now)) / day);
    const budget = { remaining, used: month.spent, reserve, from, atStart: credits };
    const open = picks.filter(
      ({ postedAt, startsAt }) => postedAt <= now && startsAt > now && startsAt <= now + horizonMs,
    );
    const lacking = open.filter(({ isPriced }) => !isPriced);
    const needs = [
      ...Map.groupBy(open, ({ key, startsAt, market }) => `${key} ${startsAt} ${market}`).values(),
    ].map((same): Need => {
      const { key, startsAt, market } = same[0]!;
      return {
        key,
        eventId: null,
        markets: [market],
        startsAt,
        picks: same.length,
        askedAt: at(key, null, market),
      };
    });
    const soon = picks.filter(({ startsAt }) => startsAt > now && startsAt <= now + horizonMs);
    const subjects = [...new Set(soon.map(({ key }) => key))].map((key) => {
      const own = lacking.filter((pick) => pick.key === key);
      const markets = [...new Set(own.map(({ market }) => market))];
      const pickedAt = Math.max(...own.map(({ postedAt }) => postedAt));
      const askedAt = oldest(featured.map((market) => at(key, null, market)));
      const since = oldest(markets.map((market) => at(key, null, market)));
      return { key, askedAt, unpriced: own.length === 0 ? null : { pickedAt, markets, askedAt: since } };
    });
    // The answer for the whole sport lacks the line.
    const events = lacking.filter(
      ({ key, market, postedAt }) => market !== 'h2h' && (at(key, null, market) ?? 0) >= postedAt - nearMs,
    );
    const unseen = [...Map.groupBy(events, ({ start, market }) => `${start} ${market}`).values()].flatMap(
      (same) => {
        const { key, start, market } = same[0]!;
        const askedAt = at(key, String(start), market);
        const pickedAt = Math.max(...same.map(({ postedAt }) => postedAt));
        if (askedAt !== null && askedAt >= pickedAt) return [];
        return {
          key,
          eventId: String(start),
          markets: [market, `alternate_${market}`],
          askedAt,
          pickedAt,
          picks: same.length,
        };
      },
    );
    const ownLines = events.flatMap(({ key, start, startsAt, market }): Need[] => {
      const whole = at(key, null, market);
      if (startsAt - now > leadMs || whole === null || startsAt - whole > closingAgeMs) return [];
      const askedAt = at(key, String(start), market);
      return [
        {
          key,
          eventId: String(start),
          markets: [market, `alternate_${market}`],
          startsAt,
          picks: 1,
          askedAt,
        },
      ];
    });
    const { last, earlier } = planCalls(
      [...needs, ...ownLines],
      subjects,
      unseen,
      featured,
      spending(budget, usual, now),
      regions,
      now,
    );
    const due = ({ at: planned }: Call) => planned <= now;
    for (const call of [...last.filter(due), ...earlier.filter(due)]) {
      month.spent += call.credits;
      if (last.includes(call)) closings.push({ at: now, credits: call.credits });
      else month.forPicks += call.credits;
      for (const market of call.markets) asked.set(`${call.key} ${call.eventId} ${market}`, now);
      for (const pick of picks)
        if (
          pick.key === call.key &&
          pick.startsAt > now &&
          pick.postedAt <= now + nearMs &&
          call.markets.includes(pick.market)
        ) {
          const hasLine =
            call.eventId === String(pick.start) ||
            (call.eventId === null && pick.lineAt(now) === pick.lineAt(pick.postedAt));
          if (hasLine) pick.isPriced = true;
        }
    }
    const calls = [...last, ...earlier].filter((call) => !due(call)).map((call) => call.at);
    const posts = picks.flatMap(({ postedAt }) => (postedAt > now ? postedAt : []));
    now = Math.min(now + 10 * minute, ...calls, ...posts);
  }
  return { ...month, unseen: picks.filter(({ isPriced }) => !isPriced).length };
}

const paths = realPaths(readFolder(folder).lines);
for (const [credits, regions] of [
  [500, 1],
  [20_000, 1],
  [20_000, 2],
  [100_000, 2],
] as const) {
  const { picks, unseen, spent, forPicks } = play(paths, credits, regions);
  const share = `${((100 * unseen) / picks).toFixed(1)}%`;
  const cells = [
    credits.toLocaleString('en-US'),
    regions,
    Math.round(spent / 31),
    Math.round(forPicks / 31),
    picks,
    unseen,
    share,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
