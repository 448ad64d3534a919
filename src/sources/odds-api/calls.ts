import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

const day = 86_400_000;

/** Purpose of a request for prices, as in the comment on `odds_api_calls.purpose`. */
export type Purpose = 'closing' | 'earlier' | 'repair';

/** A request for prices. Instants in epoch milliseconds. */
export interface MadeCall {
  at: number;
  key: string;
  eventId: string | null;
  markets: readonly string[];
  /** The requested past instant; null: the present. */
  snapshotAt: number | null;
  purpose: Purpose;
  credits: number;
}

/** Records a request, and deletes those older than 40 days. */
export async function recordCall(database: Database, call: MadeCall): Promise<void> {
  await database('odds_api_calls').insert({
    at: iso(call.at),
    sport_key: call.key,
    event_id: call.eventId,
    markets: [...call.markets],
    snapshot_at: call.snapshotAt === null ? null : iso(call.snapshotAt),
    purpose: call.purpose,
    credits: call.credits,
  });
  await database('odds_api_calls')
    .where('at', '<', new Date(call.at - 40 * day))
    .delete();
}

/** Requests of the last day, by subject and market. */
export interface Asked {
  /** When a market's current prices were last requested, in epoch milliseconds; null: not within a day. */
  at(key: string, eventId: string | null, market: string): number | null;
  /** Credits per day for last calls and repairs, over the last week. */
  usualPerDay: number;
}

export async function readAsked(database: Database, now: number): Promise<Asked> {
  const { rows }: { rows: { key: string; eventId: string | null; market: string; at: number }[] } =
    await database.raw(
      `select c.sport_key as key, c.event_id as "eventId", m.market, max(c.at) as at
       from odds_api_calls c cross join lateral unnest(c.markets) m (market)
       where c.at > ? and c.snapshot_at is null group by 1, 2, 3`,
      [new Date(now - day)],
    );
  const at = new Map(rows.map((row) => [subject(row.key, row.eventId, row.market), row.at]));
  const { rows: spent }: { rows: { credits: number; since: number | null }[] } = await database.raw(
    `select coalesce(sum(credits), 0)::int as credits, min(at) as since from odds_api_calls
     where at > ? and purpose <> 'earlier'`,
    [new Date(now - 7 * day)],
  );
  const { credits, since } = spent[0]!;
  return {
    at: (key, eventId, market) => at.get(subject(key, eventId, market)) ?? null,
    usualPerDay: since === null ? 0 : credits / Math.max(1, (now - since) / day),
  };
}

function subject(key: string, eventId: string | null, market: string): string {
  return `${key} ${eventId ?? ''} ${market}`;
}

/** Returns the past prices requested within the last four days, as `key market instant`. */
export async function readRepairs(database: Database, now: number): Promise<Set<string>> {
  const { rows }: { rows: { key: string; market: string; at: number }[] } = await database.raw(
    `select c.sport_key as key, m.market, c.snapshot_at as at
     from odds_api_calls c cross join lateral unnest(c.markets) m (market)
     where c.at > ? and c.snapshot_at is not null`,
    [new Date(now - 4 * day)],
  );
  return new Set(rows.map(({ key, market, at }) => `${key} ${market} ${at}`));
}
