import type { Database } from '../../platform/database.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

/** Providers' feeds: how long one of them has failed, or was due to be asked and was not. Off where none is configured. */
export const feedsCheck = ageCheck({
  name: 'feeds',
  title: 'Provider feeds',
  about: "How long a provider's feed has failed or is late.",
  thresholds: { degraded: 3600, down: 21_600 },
  restsOn: ['database', 'workers-ingest'],
  async look({ database, now }) {
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
  /** Why the worst one fails, or that it is late. Never has a credential. */
  reason: string | null;
}

/**
 * One that fails does so since its last success; one that never succeeded, since it was asked last. One that has nothing to ask any more
 * keeps nothing from readers: its games got their scores elsewhere, or are over.
 */
async function read(database: Database, now: number): Promise<Feeds> {
  const { rows }: { rows: Feeds[] } = await database.raw(
    `select count(*)::int as feeds, count(since)::int as bad, min(since) as since,
       (array_agg(source order by since, source) filter (where since is not null))[1] as worst,
       (array_agg(reason order by since, source) filter (where since is not null))[1] as reason
     from (
       select source, case when ok then 'It was due to be asked and was not.' else message end as reason, case
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
