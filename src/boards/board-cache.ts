import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Static, TObject } from 'typebox';
import { type CacheAnswer, type CacheDeps, createCache, type InTurn } from '../cache/cache.ts';
import { finish, NotFound } from '../cache/renderable.ts';
import { type Availability, DatabaseUnavailable, runUnprobed } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import type { Replica } from '../platform/replica.ts';
import { playerMarkets } from '../rules/markets/player-markets.ts';
import type { Board, TypedBoard } from './board.ts';
import type { BoardContext, Sport } from './context.ts';
import type { Endpoint, GivenParams } from './endpoint.ts';

export interface BoardCacheDeps
  extends Omit<CacheDeps<BoardContext>, 'availability' | 'contextAt' | 'within'> {
  database: Database;
  /**
   * Pools of one connection each, for boards without an answer yet; default: {@link database}. A board uses a single pool, so that its
   * statements run one after another. With few processors, that is faster than concurrent statements over cold connections.
   */
  firstDatabases?: readonly Database[];
  /** A standby on which boards are computed while it keeps up; default: the database. */
  replica?: Replica | undefined;
  /** Base URL of permalinks. */
  baseUrl: string;
  /** The problem gambling help line, as shown. */
  helpLine: string;
  /** Default: an unavailable PostgreSQL is noticed only by the error of each read. */
  availability?: Availability;
}

/** The cache, addressed by endpoints and parameters as readers give them. */
export type BoardCache = ReturnType<typeof createBoardCache>;

/** Dependencies of an answer built from boards: their tags, and the instant until which all of them are fresh. */
export class Basis {
  readonly tags = new Set<string>();
  goodUntil = Number.POSITIVE_INFINITY;

  add({ rendered, stale }: CacheAnswer): void {
    for (const tag of rendered.tags) this.tags.add(tag);
    this.goodUntil = Math.min(this.goodUntil, stale ? 0 : rendered.goodUntil);
  }
}

export function createBoardCache(deps: BoardCacheDeps) {
  const { database, firstDatabases = [database], replica, baseUrl, helpLine, ...others } = deps;
  const { availability, changes, ...rest } = others;
  const { clock, log } = rest;
  const run = availability?.run ?? runUnprobed;
  /** The sports by key, at most a minute old, or older while the table cannot be read. */
  const catalog = new LRUCache<'sports', ReadonlyMap<string, Sport>>({
    max: 1,
    ttl: maxAgeMs,
    noDeleteOnFetchRejection: true,
    fetchMethod: async () =>
      new Map((await run(() => sportsIn(database))).map((sport) => [sport.key, sport] as const)),
  });
  async function sports(): Promise<ReadonlyMap<string, Sport>> {
    try {
      return await catalog.forceFetch('sports');
    } catch (error) {
      const kept = catalog.get('sports', { allowStale: true, noDeleteOnStaleGet: true });
      if (kept === undefined) throw error;
      return kept;
    }
  }
  const first = leastUsed(firstDatabases);
  const contextAt = async (now: number): Promise<BoardContext> => ({
    now,
    baseUrl,
    helpLine,
    database,
    sports: await sports(),
  });
  const cache = createCache<BoardContext>({
    ...rest,
    changes,
    availability: { run },
    contextAt,
    within(context, render, isFirst) {
      const on = (given: Database) => render({ ...context, database: given });
      const read = (own: Database) => (replica === undefined ? on(own) : replica.read(on, own));
      return isFirst ? first.run(read) : read(database);
    },
  });

  /**
   * Answers an endpoint.
   * @param inTurn as in `answer`
   * @throws InvalidParams, NotFound; DatabaseUnavailable if the answer must be rendered and cannot be
   */
  async function read(endpoint: Endpoint, given: GivenParams, inTurn?: InTurn): Promise<CacheAnswer> {
    const known = await sports().catch((error: unknown) => {
      // Cached answers still work; everything else fails with its own read.
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    });
    return cache.answer(endpoint.renderable(given, known), inTurn);
  }

  return {
    ...cache,
    read,
    /**
     * Returns a board's body.
     * @param basis collects the dependencies of an answer built from the board
     * @throws as `read`
     */
    async body<B extends TObject>(
      board: TypedBoard<TObject, B>,
      given: GivenParams,
      basis?: Basis,
    ): Promise<Static<B>> {
      const answer = await read(board, given);
      basis?.add(answer);
      const { rendered } = answer;
      return JSON.parse((rendered.body.made('identity') as Buffer).toString());
    },
    /**
     * Computes each board for its first example, one at a time with pauses, and drops the answer. First readers then do not wait for schemas
     * and code to be compiled, team names to be indexed, or connections to load table metadata. Skips boards whose example needs a pick
     * while none exists. Stops early if PostgreSQL cannot be read.
     * @param pauseMs pause before each board, in ms
     */
    async warmUp(
      boards: readonly Pick<Board, 'renderable' | 'examples'>[],
      pauseMs: number,
      signal: AbortSignal,
    ): Promise<void> {
      const compute = async ({ renderable }: (typeof boards)[number], given: GivenParams) => {
        const context = await contextAt(clock.now());
        const board = renderable(given, context.sports);
        const output = await first.run((own) => board.render({ ...context, database: own }));
        await finish(board, output, context.now, { versions: [], epoch: '' }, 'quickly').body.in('br');
      };
      try {
        const values = await run(() => newestValues(database));
        for (const board of boards) {
          const given = fillIn(board.examples[0] ?? {}, values);
          if (given === undefined) continue;
          await pause(pauseMs, undefined, { signal, ref: false });
          await run(() => compute(board, given)).catch(ignoreNotFound);
        }
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'not warmed up');
      }
    },
    close(): void {
      cache.close();
      changes?.close();
      availability?.close();
    },
  };
}

/** Gives each task the item with the fewest running tasks, or the first of those, so that the last items stay idle under light load. */
function leastUsed<T>(items: readonly T[]) {
  const users = items.map(() => 0);
  return {
    async run<R>(work: (item: T) => Promise<R>): Promise<R> {
      const index = users.indexOf(Math.min(...users));
      users[index]! += 1;
      try {
        return await work(items[index]!);
      } finally {
        users[index]! -= 1;
      }
    },
  };
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}

/** How long the table of sports is kept, in ms. */
const maxAgeMs = 60_000;

export async function sportsIn(database: Database): Promise<Sport[]> {
  return database<Sport>('sports')
    .select({ key: 'key', label: 'label', moneylineWays: 'moneyline_ways', eventMinutes: 'event_minutes' })
    .orderBy('position')
    .orderBy('key');
}

/** Values for `{name}` placeholders in boards' examples: a pick with its capper, game, and market, another capper, and a player. */
export type ExampleValues = Readonly<
  Record<
    'uuid' | 'handle' | 'other' | 'sport' | 'game' | 'team' | 'market' | 'playerSport' | 'player',
    string
  >
>;

/** Some values may be missing. */
type KnownValues = { readonly [Name in keyof ExampleValues]?: string | null };

/** Returns the values of the newest pick; none on an empty ledger, no other capper if there is only one, and no player without a pick on one. */
export async function newestValues(database: Database): Promise<KnownValues> {
  const { rows }: { rows: KnownValues[] } = await database.raw(
    `select p.uuid, c.handle, p.sport, g.name as game, split_part(g.name, ' @ ', 2) as team, p.market, o.handle as other,
       b.sport as "playerSport", b.subject as player
     from (select uuid, capper_id, game_id, sport, market from board_picks order by pick_id desc limit 1) p
     join cappers c on c.id = p.capper_id
     join games g on g.id = p.game_id
     left join lateral (select handle from cappers where id <> c.id order by id limit 1) o on true
     left join lateral (select sport, subject from board_picks where subject is not null and market = any(?) limit 1) b on true`,
    [playerMarkets.map(({ name }) => name)],
  );
  return rows[0] ?? {};
}

/** Fills in the `{name}` placeholders of an example; undefined if a value is missing. */
export function fillIn(
  example: Readonly<Record<string, string>>,
  known: KnownValues,
): Record<string, string> | undefined {
  const values = new Map<string, string | null | undefined>(Object.entries(known));
  let isKnown = true;
  const entries = Object.entries(example).map(([name, text]) => [
    name,
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name);
      isKnown &&= value != null;
      return value ?? '';
    }),
  ]);
  return isKnown ? Object.fromEntries(entries) : undefined;
}
