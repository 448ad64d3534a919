import type { Database } from '../../platform/database.ts';

/** A cycle that is over. */
export interface Cycle {
  /** Its number. */
  cycle: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** Fewer hosts than this say nothing about our side. */
const leastHosts = 5;

/**
 * Takes back the strikes of a cycle in which most hosts that had been well failed alike without an answer: then the fault was plainly
 * ours (decisions, section 5). Subscriptions that were disabled by it are active again. An answer, whatever its status, shows that our
 * side works; and a host that has failed for longer says nothing.
 * @returns how many strikes were taken back
 */
export async function pardon(database: Database, { cycle, startedAt }: Cycle): Promise<number> {
  const { rows: fresh }: { rows: { hosts: number }[] } = await database.raw(
    `select count(distinct target_host)::int as hosts from webhook_subscriptions
     where struck_cycle = ? and consecutive_failures = 1 and last_status is null
     group by last_error order by hosts desc limit 1`,
    [cycle],
  );
  const alike = fresh[0]?.hosts ?? 0;
  if (alike < leastHosts) return 0;
  const { rows: answering }: { rows: { hosts: number }[] } = await database.raw(
    `select count(distinct s.target_host)::int as hosts
     from webhook_attempts a join webhook_subscriptions s on s.id = a.subscription_id
     where a.at >= ? and a.status is not null`,
    [new Date(startedAt)],
  );
  if (alike <= answering[0]!.hosts) return 0;
  return database('webhook_subscriptions')
    .where('struck_cycle', cycle)
    .where('consecutive_failures', '>', 0)
    .update({
      consecutive_failures: database.raw('consecutive_failures - 1'),
      struck_cycle: null,
      status: database.raw(`case when status = 'disabled' then 'active' else status end`),
      disabled_at: database.raw(`case when status = 'disabled' then null else disabled_at end`),
    });
}
