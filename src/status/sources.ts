import { isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { LeftOut } from '../sources/answer.ts';
import { sourceOf } from '../sources/index.ts';

/** A feed of a source as `/api/status` shows it. */
export interface ShownSource {
  feed: string;
  /** Name of the source for people. */
  title: string;
  ok: boolean;
  /** What came of the last request, or why it failed. */
  message: string;
  askedAt: string | null;
  nextAt: string | null;
  /** What the last answer had that was left out: counts by reason. */
  leftOut: LeftOut;
}

/** The feeds of all sources, failing ones first. */
export async function readSources(database: Database): Promise<ShownSource[]> {
  const rows: {
    feed: string;
    ok: boolean;
    message: string;
    askedAt: number | null;
    nextAt: number | null;
    leftOut: LeftOut;
  }[] = await database('source_runs').orderBy(['ok', 'source']).limit(500).select({
    feed: 'source',
    ok: 'ok',
    message: 'message',
    askedAt: 'ran_at',
    nextAt: 'next_at',
    leftOut: 'left_out',
  });
  return rows.map(({ feed, askedAt, nextAt, ...rest }) => ({
    feed,
    title: sourceOf(feed)?.title ?? feed,
    ...rest,
    askedAt: isoOrNull(askedAt),
    nextAt: isoOrNull(nextAt),
  }));
}
