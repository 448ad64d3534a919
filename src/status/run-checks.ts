import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import type { CheckResult } from './incidents.ts';

/** A check that takes longer counts as not measured. */
const timeoutMs = 8000;

/** A statement that takes longer is cancelled: before its check counts as not measured, so that the transaction can go on. */
const statementMs = 6000;

/** A check as it runs, or what runs beside the checks. */
interface Look {
  about: string;
  /** @throws whatever reading throws */
  run(database: Database): Promise<void>;
}

/**
 * Runs all checks. One that fails or hangs leaves its subjects without a finding and does not affect the others: those that read
 * PostgreSQL share a transaction, one after the other, and after a failure those that are left have one each.
 * @param also what reads PostgreSQL like a check, after them
 */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  log: Logger,
  also: readonly Look[] = [],
): Promise<CheckResult[]> {
  const found = new Map<Check, Map<string, Finding>>();
  const { database } = context;
  const begun = new Set<Look>();

  const lookOf = (check: Check): Look => ({
    about: check.about,
    async run(given) {
      found.set(check, await check.look({ ...context, database: given }));
    },
  });
  const look = (each: Look, given: Database) => {
    begun.add(each);
    return withTimeout(each.run(given), timeoutMs);
  };
  const attempt = (each: Look) =>
    look(each, database).catch((error: Error) =>
      log.debug({ err: error.message, check: each.about }, 'check failed'),
    );

  const readsDatabase = ({ subjects }: Check) => subjects.some(({ restsOn }) => restsOn.includes('database'));
  const reading = [...checks.filter(readsDatabase).map(lookOf), ...also];
  let late = false;
  const shared = database.transaction(async (transaction) => {
    await transaction.raw(`set local statement_timeout = ${statementMs}`);
    for (const each of reading) if (!late) await look(each, transaction);
  });
  await Promise.all([
    ...checks.filter((check) => !readsDatabase(check)).map((check) => attempt(lookOf(check))),
    withTimeout(shared, timeoutMs).catch((error: Error) =>
      log.debug({ err: error.message }, 'checks do not share a transaction'),
    ),
  ]);
  late = true;
  await Promise.all(reading.filter((each) => !begun.has(each)).map(attempt));
  return checks.flatMap((check) =>
    check.subjects.map((subject) => ({
      subject,
      thresholds: check.thresholds,
      finding: found.get(check)?.get(subject.name),
    })),
  );
}
