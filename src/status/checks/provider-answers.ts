import type { Database } from '../../platform/database.ts';
import { sourceOf } from '../../sources/index.ts';
import { readFindings, type SourceRequest } from '../../sources/source-requests.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

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
    const findings = await read(database, now);
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
  /** Number of the feed's games with pending picks. */
  games: number;
}

async function read(database: Database, now: number): Promise<Found[]> {
  const found = await readFindings(database, now);
  const rows: { source: string; games: number }[] = await database('source_events as e')
    .join('pending_picks as p', 'p.game_id', 'e.game_id')
    .whereIn('e.source', [...new Set(found.map(({ source }) => source))])
    .groupBy('e.source')
    .select({ source: 'e.source', games: database.raw('count(distinct p.game_id)::int') });
  const games = new Map(rows.map((row) => [row.source, row.games]));
  return found.map((row) => ({ ...row, games: games.get(row.source) ?? 0 }));
}
