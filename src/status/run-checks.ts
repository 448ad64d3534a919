import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import type { CheckResult } from './incidents.ts';

/** A check that takes longer counts as not measured. */
const timeoutMs = 8000;

/** A statement that takes longer is cancelled: before its check counts as not measured, so that the transaction can go on. */
const statementMs = 6000;

/**
 * Runs all checks. One that fails or hangs leaves its subjects without a finding and does not affect the others: those that read
 * PostgreSQL share a transaction, one after the other, and after a failure those that are left have one each.
 */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  log: Logger,
): Promise<CheckResult[]> {
  const found = new Map<Check, Map<string, Finding>>();

  async function look(check: Check, database: Database): Promise<void> {
    found.set(check, new Map());
    found.set(check, await withTimeout(check.look({ ...context, database }), timeoutMs));
  }
  const attempt = (check: Check) =>
    look(check, context.database).catch((error: Error) =>
      log.debug({ err: error.message, check: check.about }, 'check failed'),
    );

  const reading = checks.filter(({ subjects }) =>
    subjects.some(({ restsOn }) => restsOn.includes('database')),
  );
  let late = false;
  const shared = context.database.transaction(async (transaction) => {
    await transaction.raw(`set local statement_timeout = ${statementMs}`);
    for (const check of reading) if (!late) await look(check, transaction);
  });
  await Promise.all([
    ...checks.filter((check) => !reading.includes(check)).map(attempt),
    withTimeout(shared, timeoutMs).catch((error: Error) =>
      log.debug({ err: error.message }, 'checks do not share a transaction'),
    ),
  ]);
  late = true;
  await Promise.all(reading.filter((check) => !found.has(check)).map(attempt));
  return checks.flatMap((check) =>
    check.subjects.map((subject) => ({
      subject,
      thresholds: check.thresholds,
      finding: found.get(check)?.get(subject.name),
    })),
  );
}
