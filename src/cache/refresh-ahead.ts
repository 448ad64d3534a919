import type { Board } from '../boards/board.ts';
import { LedgerUnavailable } from '../platform/availability.ts';
import type { Logger } from '../platform/logger.ts';
import type { Target } from './render.ts';
import type { Rendered } from './rendered.ts';
import type { Found } from './store.ts';

/** What became of the answers that are declared to be computed ahead. */
export type Refreshed = Record<'looked' | 'rendered' | 'failed', number>;

/** What {@link refreshAhead} is given of the cache. */
export interface Refreshing {
  target(board: Board, given: Record<string, string>): Promise<Target>;
  find(target: Target): Promise<Found | undefined>;
  isFresh(rendered: Rendered, found: Found): boolean;
  render(target: Target, found: Found): Promise<Rendered>;
  log: Logger;
}

/**
 * Renders, one after the other, every answer that its board wants computed ahead and that is not fresh. One that fails is logged and
 * counted, the others go on. Without Redis there is nothing to do.
 * @throws LedgerUnavailable
 */
export async function refreshAhead(boards: readonly Board[], cache: Refreshing): Promise<Refreshed> {
  const counts: Refreshed = { looked: 0, rendered: 0, failed: 0 };
  for (const board of boards) {
    for (const given of board.ahead ?? []) {
      counts.looked += 1;
      try {
        const target = await cache.target(board, given);
        const found = await cache.find(target);
        if (found === undefined || (found.rendered !== undefined && cache.isFresh(found.rendered, found)))
          continue;
        await cache.render(target, found);
        counts.rendered += 1;
      } catch (error) {
        if (error instanceof LedgerUnavailable) throw error;
        counts.failed += 1;
        cache.log.error({ err: error, board: board.path, given }, 'board not rendered ahead');
      }
    }
  }
  return counts;
}
