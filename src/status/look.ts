import type { Logger } from '../platform/logger.ts';
import type { Check, Finding, Looking } from './check.ts';
import { inTime } from './in-time.ts';
import type { Found } from './incidents.ts';

/** A check that takes longer is given up. */
const patienceMs = 8000;

/** Makes every check look, all at once. One that fails or hangs leaves its subjects without a finding, and the others alone. */
export async function lookAll(checks: readonly Check[], looking: Looking, log: Logger): Promise<Found[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await inTime(patienceMs, check.look(looking)).catch((error: Error) => {
        log.debug({ err: error.message, check: check.about }, 'a check could not look');
        return new Map<string, Finding>();
      });
      const { thresholds } = check;
      return check.subjects.map((subject) => ({ subject, thresholds, finding: findings.get(subject.name) }));
    }),
  );
  return found.flat();
}
