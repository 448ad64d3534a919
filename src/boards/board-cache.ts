import type { Static, TObject } from 'typebox';
import { type Cache, type CacheAnswer, type CacheDeps, createCache } from '../cache/cache.ts';
import { type Availability, LedgerUnavailable, runUnprobed } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import type { TypedBoard } from './board.ts';
import { createCatalog } from './catalog.ts';
import type { BoardContext } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import type { GivenParams } from './read-params.ts';

export interface BoardCacheDeps extends Omit<CacheDeps<BoardContext>, 'availability' | 'contextAt'> {
  database: Database;
  /** Where permalinks begin. */
  baseUrl: string;
  /** The help line for gambling problems, as people say it. */
  helpLine: string;
  /** Default: an unavailable PostgreSQL is noticed by each read's own error only. */
  availability?: Availability;
}

/** The cache, asked with endpoints and parameters as readers give them. */
export interface BoardCache extends Cache<BoardContext> {
  /** @throws InvalidParams, NotFound; LedgerUnavailable when the answer would have to be rendered and cannot */
  read(endpoint: Endpoint, given: GivenParams): Promise<CacheAnswer>;
  /**
   * A board's body.
   * @throws as {@link BoardCache.read}
   */
  body<B extends TObject>(board: TypedBoard<TObject, B>, given: GivenParams): Promise<Static<B>>;
}

export function createBoardCache(deps: BoardCacheDeps): BoardCache {
  const { database, baseUrl, helpLine, availability, changes, ...rest } = deps;
  const run = availability?.run ?? runUnprobed;
  const catalog = createCatalog(database, run);
  const cache = createCache<BoardContext>({
    ...rest,
    changes,
    availability: { run },
    contextAt: async (now) => ({ database, now, baseUrl, helpLine, sports: await catalog.sports() }),
  });

  async function read(endpoint: Endpoint, given: GivenParams): Promise<CacheAnswer> {
    const sports = await catalog.sports().catch((error: unknown) => {
      // What is cached can still be answered; anything else fails soon enough.
      if (error instanceof LedgerUnavailable) return undefined;
      throw error;
    });
    return cache.answer(endpoint.renderable(given, sports));
  }

  return {
    ...cache,
    read,
    async body(board, given) {
      const { rendered } = await read(board, given);
      return JSON.parse(rendered.bytes.identity.toString());
    },
    close() {
      cache.close();
      changes?.close();
      availability?.close();
    },
  };
}
