import type { Database } from '../../platform/database.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

/** Always ok if no provider is configured. */
export const feedsCheck = ageCheck({
  name: 'feeds',
  title: 'Provider feeds',
  about: "How long a provider's feed has failed or been overdue.",
  thresholds: { degraded: 3600, down: 21_600 },
  runbook: {
    means: "A provider's feed fails or is overdue.",
    readers: 'Games, odds, or scores may be delayed if no other source has them.',
    lookAt: '`npm run cli -- sources`: last answer, skipped items, and credits.',
    first:
      'Run `npm run cli -- sources try <source> <league>`, and check key and credits. The provider itself may be down.',
  },
  dependsOn: ['database', 'workers-ingest'],
  async measure({ database, now }) {
    const { feeds, bad, since, worst, reason } = await read(database, now);
    if (feeds === 0) return { seconds: null, value: 0, message: 'No provider is configured.' };
    if (since === null) return { seconds: 0, value: 0, message: `${counted(feeds, 'feed')} up to date.` };
    const seconds = (now - since) / 1000;
    return {
      seconds,
      value: bad,
      message: `${bad} of ${counted(feeds, 'feed')} not up to date; the worst, ${worst}, for ${span(seconds)}. ${reason}`,
    };
  },
});

interface Feeds {
  feeds: number;
  bad: number;
  since: number | null;
  worst: string | null;
  /** Reason of the worst feed: its failure, or that it is overdue. Never contains a credential. */
  reason: string | null;
}

/**
 * Reads the state of feeds. A failure counts from the last success, or from the last poll if there was none. A feed with nothing left to
 * poll is healthy: its games are over, or another source has their scores.
 */
async function read(database: Database, now: number): Promise<Feeds> {
  const { rows }: { rows: Feeds[] } = await database.raw(
    `select count(*)::int as feeds, count(since)::int as bad, min(since) as since,
       (array_agg(source order by since, source) filter (where since is not null))[1] as worst,
       (array_agg(reason order by since, source) filter (where since is not null))[1] as reason
     from (
       select source, case when ok then 'Its poll is overdue.' else message end as reason, case
         when next_at is null then null
         when not ok then coalesce(succeeded_at, ran_at)
         when next_at <= :now then next_at
       end as since
       from source_runs
     ) as runs`,
    { now: new Date(now) },
  );
  return rows[0]!;
}
