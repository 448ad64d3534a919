import type { SourceRun } from '../runs.ts';
import { account, type OddsApiDeps } from './account.ts';
import { type Expected, expectedOf } from './expected.ts';
import { type Budget, marketKeys, oddsDueAt, scoresDueAt } from './pacing.ts';
import { sportOf } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A kind of request and its schedule. */
export interface Feed {
  source: string;
  key: string;
  sport: string;
  kind: 'events' | 'odds' | 'scores';
  /** Epoch milliseconds; null while there is nothing to ask. */
  dueAt: number | null;
}

/** Every feed of the sports in season, with its next poll. */
export async function feedsOf(deps: OddsApiDeps, runs: ReadonlyMap<string, SourceRun>): Promise<Feed[]> {
  const now = deps.clock.now();
  const keys = [...runs.keys()].flatMap((source) => /^odds-api\/([^/]+)\/odds$/.exec(source)?.[1] ?? []);
  const budget = budgetOf(deps.config, runs.get(account), keys.length);
  const expected = await expectedOf(deps.database, account, now);
  return keys.flatMap((key) => {
    const sport = sportOf(key);
    return sport === undefined
      ? []
      : feedsOfSport(key, sport, runs, budget, expected.get(`${account}/${key}`), now);
  });
}

function budgetOf(
  { regions, bookmakers, reserve }: OddsApiDeps['config'],
  run: SourceRun | undefined,
  sports: number,
): Budget | null {
  if (run?.quotaRemaining == null || run.quotaFrom === null || run.quotaAtStart === null) return null;
  return {
    remaining: run.quotaRemaining,
    reserve,
    from: run.quotaFrom,
    atStart: run.quotaAtStart,
    // Every ten bookmakers cost as much as a region.
    cost: marketKeys.length * (Math.ceil(bookmakers.length / 10) || regions.length),
    sports,
  };
}

function feedsOfSport(
  key: string,
  sport: string,
  runs: ReadonlyMap<string, SourceRun>,
  budget: Budget | null,
  expected: Expected | undefined,
  now: number,
): Feed[] {
  const nextStart = expected?.nextStart ?? null;
  const over = expected?.overSince ?? null;
  const feed = (kind: Feed['kind'], due: (lastAt: number | null) => number | null): Feed => {
    const source = `${account}/${key}/${kind}`;
    const run = runs.get(source);
    // After its backoff a failed feed is polled as if it were new.
    const failed = run?.ok === false;
    const wanted = due(failed ? null : (run?.ranAt ?? null));
    const held = failed ? (run.nextAt ?? 0) : 0;
    return { source, key, sport, kind, dueAt: wanted === null ? null : Math.max(held, wanted) };
  };
  const near = nextStart !== null && nextStart - now < 2 * hour;
  return [
    feed('events', (lastAt) => (lastAt === null ? now : lastAt + (near ? 5 : 15) * minute)),
    feed('odds', (lastAt) => oddsDueAt(budget, lastAt, nextStart, now)),
    feed('scores', (lastAt) => (over === null ? null : scoresDueAt(budget, lastAt, over, now))),
  ];
}
