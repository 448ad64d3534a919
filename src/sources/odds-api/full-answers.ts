import type { Database } from '../../platform/database.ts';
import type { EventReport } from '../answer.ts';
import { type FullAnswer, noteVanished } from '../vanished.ts';
import type { Request } from './requests.ts';

const hour = 3_600_000;

/** How far back a scores answer lists every event, in ms; the provider has three days. */
const scoresBackMs = 60 * hour;

/**
 * Returns the span in which an answer lists every event: upcoming events, or those of the last days with scores. Answers with prices have
 * none.
 */
function spanOf(
  kind: Request['kind'],
  reports: readonly EventReport[],
  now: number,
): Omit<FullAnswer, 'eventIds'> | undefined {
  if (kind === 'scores') return { from: now - scoresBackMs, to: now };
  if (kind !== 'events' || reports.length === 0) return undefined;
  return { from: now, to: Math.max(now, ...reports.map(({ startsAt }) => startsAt)) };
}

/**
 * Notes events that an answer omits, and counts requests for scores.
 * @param source name of the events
 * @returns the number of games postponed by it
 */
export async function noteFullAnswer(
  database: Database,
  source: string,
  kind: Request['kind'],
  reports: readonly EventReport[],
  now: number,
): Promise<number> {
  const span = spanOf(kind, reports, now);
  if (span === undefined) return 0;
  if (kind === 'scores') await countScoreRequests(database, source, span, now);
  return noteVanished(database, source, { ...span, eventIds: reports.map(({ eventId }) => eventId) }, now);
}

/** Counts a score request for games that must be over and have pending picks. */
async function countScoreRequests(
  database: Database,
  source: string,
  { from }: Omit<FullAnswer, 'eventIds'>,
  now: number,
): Promise<void> {
  await database.raw(
    `update source_events e set score_asks = e.score_asks + 1
     from games g join sports s on s.key = g.sport
     where e.source = :source and e.starts_at between :from and :now and g.id = e.game_id and g.status = 'scheduled'
       and g.starts_at + s.event_minutes * interval '48 seconds' <= :now
       and exists (select from pending_picks p where p.game_id = g.id)`,
    { source, from: new Date(from), now: new Date(now) },
  );
}
