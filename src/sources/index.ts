import { espnSource } from './espn/source.ts';
import { footballDataSource } from './football-data/source.ts';
import { oddsApiSource } from './odds-api/source.ts';
import { schedulesSource } from './schedules/source.ts';
import type { Source } from './source.ts';

/** All sources. None has scores for tennis, so its results are posted by hand. */
export const sources = [
  espnSource,
  footballDataSource,
  oddsApiSource,
  schedulesSource,
] as const satisfies readonly Source[];

export type SourceName = (typeof sources)[number]['name'];

/** Returns the source of a feed; undefined if no source has it now. */
export function sourceOf(feed: string): Source | undefined {
  return sources.find(({ name }) => feed === name || feed.startsWith(`${name}/`));
}
