import { espnSource } from './espn/source.ts';
import { footballDataSource } from './football-data/source.ts';
import { oddsApiSource } from './odds-api/source.ts';
import { schedulesSource } from './schedules/source.ts';
import type { Source } from './source.ts';

/** Every source. Tennis has scores from none of them: its results are posted by hand. */
export const sources = [
  espnSource,
  footballDataSource,
  oddsApiSource,
  schedulesSource,
] as const satisfies readonly Source[];

export type SourceName = (typeof sources)[number]['name'];

/** The source that a feed belongs to; undefined for one that no source has any more. */
export function sourceOf(feed: string): Source | undefined {
  return sources.find(({ name }) => feed === name || feed.startsWith(`${name}/`));
}
