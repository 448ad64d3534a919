import type { Static, TObject } from 'typebox';
import { type Cache, type CacheAnswer, type CacheDeps, createCache, type InTurn } from '../cache/cache.ts';
import { type Availability, LedgerUnavailable, runUnprobed } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import type { Replica } from '../platform/replica.ts';
import type { TypedBoard } from './board.ts';
import { createCatalog } from './catalog.ts';
import type { BoardContext } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import type { GivenParams } from './read-params.ts';

export interface BoardCacheDeps
  extends Omit<CacheDeps<BoardContext>, 'availability' | 'contextAt' | 'within'> {
  database: Database;
  /** Connections for answers of which there is none yet; default {@link database}. */
  firstDatabase?: Database;
  /** Where boards are computed as far as it keeps up; default: on the database. */
  replica?: Replica | undefined;
  /** Where permalinks begin. */
  baseUrl: string;
  /** The help line for gambling problems, as people say it. */
  helpLine: string;
  /** Default: an unavailable PostgreSQL is noticed by each read's own error only. */
  availability?: Availability;
}

/** The cache, asked with endpoints and parameters as readers give them. */
export interface BoardCache extends Cache<BoardContext> {
  /**
   * @param inTurn as {@link Cache.answer} takes it
   * @throws InvalidParams, NotFound; LedgerUnavailable when the answer would have to be rendered and cannot
   */
  read(endpoint: Endpoint, given: GivenParams, inTurn?: InTurn): Promise<CacheAnswer>;
  /**
   * A board's body.
   * @param basis what is made of it rests on that board too
   * @throws as {@link BoardCache.read}
   */
  body<B extends TObject>(
    board: TypedBoard<TObject, B>,
    given: GivenParams,
    basis?: Basis,
  ): Promise<Static<B>>;
}

/** What an answer that was made of boards rests on: their tags, and the instant until which all of them are good. */
export class Basis {
  readonly tags = new Set<string>();
  goodUntil = Number.POSITIVE_INFINITY;

  add({ rendered, stale }: CacheAnswer): void {
    for (const tag of rendered.tags) this.tags.add(tag);
    this.goodUntil = Math.min(this.goodUntil, stale ? 0 : rendered.goodUntil);
  }
}

export function createBoardCache(deps: BoardCacheDeps): BoardCache {
  const { database, firstDatabase = database, replica, baseUrl, helpLine, ...others } = deps;
  const { availability, changes, ...rest } = others;
  const run = availability?.run ?? runUnprobed;
  const catalog = createCatalog(database, run);
  const cache = createCache<BoardContext>({
    ...rest,
    changes,
    availability: { run },
    contextAt: async (now, isFirst) => ({
      ...{ now, baseUrl, helpLine },
      database: isFirst ? firstDatabase : database,
      sports: await catalog.sports(),
    }),
    within(context, ahead, render) {
      const on = (given: Database) => render({ ...context, database: given });
      // Ahead: one connection and one transaction, where several at once would only be faster.
      const work = (given: Database) =>
        ahead && given.isTransaction !== true ? given.transaction(on) : on(given);
      return replica === undefined ? work(context.database) : replica.read(work, context.database);
    },
  });

  async function read(endpoint: Endpoint, given: GivenParams, inTurn?: InTurn): Promise<CacheAnswer> {
    const sports = await catalog.sports().catch((error: unknown) => {
      // What is cached can still be answered; anything else fails soon enough.
      if (error instanceof LedgerUnavailable) return undefined;
      throw error;
    });
    return cache.answer(endpoint.renderable(given, sports), inTurn);
  }

  return {
    ...cache,
    read,
    async body(board, given, basis) {
      const answer = await read(board, given);
      basis?.add(answer);
      const { rendered } = answer;
      return JSON.parse((rendered.body.made('identity') as Buffer).toString());
    },
    close() {
      cache.close();
      changes?.close();
      availability?.close();
    },
  };
}
