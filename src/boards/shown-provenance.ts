import type { PickFilter } from '../projections/pick-filter.ts';
import { windowTallies } from '../projections/rollups.ts';
import { etDay } from '../rules/et-day.ts';
import { settledCount } from '../rules/tally.ts';
import type { BoardContext } from './context.ts';

/** Settled live picks above which pages, cards, and the widget show only live records (docs/rules/records.md#on-pages). */
export const enoughLive = 20;

/** Returns the default provenance of the records on a page, for a capper or for all. */
export async function shownProvenance(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  filter: { capperId?: number } & Pick<PickFilter, 'sport'> = {},
): Promise<'live' | 'all'> {
  const { all } = await windowTallies(database, ['all'], etDay(now), { ...filter, provenance: 'live' });
  return settledCount(all) >= enoughLive ? 'live' : 'all';
}
