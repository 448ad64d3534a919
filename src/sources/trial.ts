import { type Game, gameColumns } from '../games/game.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, type Transaction, undone } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import type { SourceName } from './index.ts';
import { whyNoPrices } from './odds-api/why-no-prices.ts';
import { polls } from './polls.ts';
import { forgetRuns, readRuns, type SourceRun } from './runs.ts';
import { type UnendedGame, weighStatements } from './source-scores.ts';

type Sources = Config<'ingest'>['sources'];

/** Changes that a source would make. */
export interface Trial {
  runs: SourceRun[];
  added: Game[];
  /** Known games, as they would be. */
  changed: Game[];
  prices: number;
  /** Why no prices were requested, unless a request failed. */
  whyNoPrices: string | undefined;
  /** Statements about games that have not ended here. */
  unended: UnendedGame[];
}

/** Restricts the settings to one league, competition, or sport in the source's terms; undefined if the source has none. */
const only: Readonly<Record<SourceName, ((sources: Sources, part: string) => Sources) | undefined>> = {
  espn: (sources, part) => ({ ...sources, espn: { ...sources.espn, leagues: [part] } }),
  'football-data': undefined,
  'odds-api': (sources, part) => ({ ...sources, oddsApi: { ...sources.oddsApi, sports: [part] } }),
  schedule: (sources, part) => ({
    ...sources,
    schedules: sources.schedules.filter(({ sport }) => sport === part),
  }),
};

/** Reports whether a source can be polled in parts. */
export function hasParts(name: SourceName): boolean {
  return only[name] !== undefined;
}

/**
 * Polls a source once for everything, in a transaction that is rolled back. It makes real requests and spends credits.
 * @param part a league, competition, or sport, as in the source's setting. Default: all that are set
 */
export async function trySource(
  database: Database,
  clock: Clock,
  sources: Sources,
  name: SourceName,
  part?: string,
): Promise<Trial> {
  const config = part === undefined ? sources : (only[name]?.(sources, part) ?? sources);
  return undone(database, async (transaction) => {
    const before = await gamesAround(transaction, clock.now());
    const last = await lastPrice(transaction);
    await forgetRuns(transaction, name, []);
    // Recent requests would keep prices from being due.
    if (name === 'odds-api') await transaction('odds_api_calls').delete();
    await polls[name]({
      config,
      demo: false,
      database: transaction,
      clock,
      enqueue: { add: () => Promise.resolve(true) },
      log: createLogger('cli', 'silent'),
      closing: new AbortController().signal,
    });
    const after = await gamesAround(transaction, clock.now());
    return {
      runs: [...(await readRuns(transaction, name)).values()],
      added: [...after.values()].filter(({ id }) => !before.has(id)),
      changed: [...after.values()].filter((game) => {
        const old = before.get(game.id);
        return old !== undefined && JSON.stringify(old) !== JSON.stringify(game);
      }),
      prices: await pricesAfter(transaction, last),
      whyNoPrices: name === 'odds-api' ? await whyNoPrices({ database: transaction, clock }) : undefined,
      unended: await weighStatements(transaction, clock.now()),
    };
  });
}

/** Returns games that any source could report on, by id. */
async function gamesAround(database: Transaction, now: number): Promise<Map<number, Game>> {
  const day = 86_400_000;
  const rows: Game[] = await database('games as g')
    .where((either) =>
      either
        .whereBetween('g.starts_at', [new Date(now - 7 * day), new Date(now + 400 * day)])
        .orWhereNull('g.starts_at'),
    )
    .select(gameColumns);
  return new Map(rows.map((game) => [game.id, game]));
}

async function lastPrice(database: Transaction): Promise<number> {
  const [row] = await database('lines').max({ id: 'id' });
  return row?.id ?? 0;
}

async function pricesAfter(database: Transaction, id: number): Promise<number> {
  const [row] = await database('lines').where('id', '>', id).count({ count: '*' });
  return Number(row?.count ?? 0);
}
