import { type Game, gameColumns } from '../games/game.ts';
import type { Outcome } from '../jobs/job.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Transaction, undone } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { pollEspn } from './espn/poll.ts';
import { pollFootballData } from './football-data/poll.ts';
import type { SourceName } from './index.ts';
import { pollOddsApi } from './odds-api/poll.ts';
import type { PollDeps, SourceSettings } from './poll-deps.ts';
import { forgetRuns, readRuns, type SourceRun } from './runs.ts';
import { pollSchedules } from './schedules/poll.ts';
import { type UnendedGame, weighStatements } from './source-scores.ts';

export interface PollsDeps extends PollDeps<SourceSettings> {
  /** Whether the site is a demo, which has no real games. */
  demo: boolean;
}

interface PolledSource {
  /** Polls due data; does nothing while the source's setting is off. */
  poll(deps: PollsDeps): Promise<Outcome>;
  /** Reports whether the settings enable it. A disabled source is polled once at the start, to delete its runs. */
  isOn(settings: SourceSettings): boolean;
  /** Restricts the settings to one league, competition, or sport in the source's terms. Absent: it can only be polled as a whole. */
  only?(settings: SourceSettings, part: string): SourceSettings;
}

export const polled: Readonly<Record<SourceName, PolledSource>> = {
  espn: {
    poll: ({ config: { espn }, demo, ...deps }) =>
      pollEspn({ ...deps, config: demo ? { ...espn, leagues: [] } : espn }),
    isOn: ({ espn }) => espn.leagues.length > 0,
    only: (settings, part) => ({ ...settings, espn: { ...settings.espn, leagues: [part] } }),
  },
  'football-data': {
    poll: ({ config: { footballData }, demo, ...deps }) =>
      pollFootballData({ ...deps, config: demo ? { ...footballData, key: undefined } : footballData }),
    isOn: ({ footballData }) => footballData.key !== undefined,
  },
  'odds-api': {
    poll: (deps) => pollOddsApi({ ...deps, config: deps.config.oddsApi }),
    isOn: ({ oddsApi }) => oddsApi.key !== undefined,
    only: (settings, part) => ({ ...settings, oddsApi: { ...settings.oddsApi, sports: [part] } }),
  },
  schedule: {
    poll: (deps) => pollSchedules({ ...deps, config: deps.config.schedules }),
    isOn: ({ schedules }) => schedules.length > 0,
    only: (settings, part) => ({
      ...settings,
      schedules: settings.schedules.filter(({ sport }) => sport === part),
    }),
  },
};

/** Changes that a source would make. */
export interface Trial {
  runs: SourceRun[];
  added: Game[];
  /** Known games, as they would be. */
  changed: Game[];
  prices: number;
  /** Statements about games that have not ended here. */
  unended: UnendedGame[];
}

/**
 * Polls a source once for everything, in a transaction that is rolled back. It makes real requests and spends credits.
 * @param part a league, competition, or sport, as in the source's setting. Default: all that are set
 */
export async function trySource(
  database: Database,
  clock: Clock,
  sources: SourceSettings,
  name: SourceName,
  part?: string,
): Promise<Trial> {
  const config = part === undefined ? sources : (polled[name].only?.(sources, part) ?? sources);
  return undone(database, async (transaction) => {
    const before = await gamesAround(transaction, clock.now());
    const [last] = await transaction('lines').max({ id: 'id' });
    await forgetRuns(transaction, name, []);
    // Recent requests would keep prices from being due.
    if (name === 'odds-api') await transaction('odds_api_calls').delete();
    await polled[name].poll({
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
      prices: (
        await transaction('lines')
          .where('id', '>', last?.id ?? 0)
          .pluck('id')
      ).length,
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
