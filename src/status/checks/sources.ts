import type { Database } from '../../platform/database.ts';
import { sourceOf } from '../../sources/index.ts';
import { readFindings, type SourceRequest } from '../../sources/source-requests.ts';
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

/** Answers that can be read but cannot be right. Without pending picks on the feed's games, they are only shown with the feed. */
export const providerAnswersCheck = ageCheck({
  name: 'provider-answers',
  title: 'Provider answers',
  about:
    'How long a provider has answered, but with too few games, without a field, or with an unknown state, while picks depend on it.',
  thresholds: { degraded: 1, down: 86_400 },
  runbook: {
    means:
      'A provider still answers, but its answers have changed: games, fields, or states are not as they always were.',
    readers: 'Games may be missing, and picks on finished games may stay pending.',
    lookAt:
      "`npm run cli -- sources`: the finding, and how other sources list the same games; the provider's own site.",
    first:
      'Run `npm run cli -- sources try <source> <league>` and compare it with a healthy answer (*Sources*). Post missing results by hand.',
  },
  dependsOn: ['database', 'feeds'],
  async measure({ database, now }) {
    const findings = await readChanged(database, now);
    const worst = findings.find(({ games }) => games > 0);
    const also =
      findings.length === 0
        ? 'Answers are as usual.'
        : `${counted(findings.length, 'finding')}, without pending picks on the games.`;
    if (worst === undefined) return { seconds: 0, value: 0, message: also };
    const seconds = (now - worst.foundAt!) / 1000;
    return {
      seconds,
      value: findings.length,
      message: `${sourceOf(worst.source)?.title ?? worst.source}, ${worst.source}, request ${worst.request}: ${worst.finding}. Since ${span(seconds)}; ${counted(worst.games, 'game')} with pending picks.`,
    };
  },
});

interface Found extends Pick<SourceRequest, 'source' | 'request' | 'finding' | 'foundAt'> {
  games: number;
}

async function readChanged(database: Database, now: number): Promise<Found[]> {
  const found = await readFindings(database, now);
  const rows: { source: string; games: number }[] = await database('source_events as e')
    .join('pending_picks as p', 'p.game_id', 'e.game_id')
    .whereIn('e.source', [...new Set(found.map(({ source }) => source))])
    .groupBy('e.source')
    .select({ source: 'e.source', games: database.raw('count(distinct p.game_id)::int') });
  const games = new Map(rows.map((row) => [row.source, row.games]));
  return found.map((row) => ({ ...row, games: games.get(row.source) ?? 0 }));
}
