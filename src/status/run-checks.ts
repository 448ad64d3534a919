import type { Logger } from '../platform/logger.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import type { CheckResult } from './incidents.ts';

/** A check that takes longer counts as not measured. */
const timeoutMs = 8000;

/** Runs all checks concurrently. One that fails or hangs leaves its subjects without a finding and does not affect the others. */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  log: Logger,
): Promise<CheckResult[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await withTimeout(check.look(context), timeoutMs).catch((error: Error) => {
        log.debug({ err: error.message, check: check.about }, 'check failed');
        return new Map<string, Finding>();
      });
      const { thresholds } = check;
      return check.subjects.map((subject) => ({ subject, thresholds, finding: findings.get(subject.name) }));
    }),
  );
  return found.flat();
}
