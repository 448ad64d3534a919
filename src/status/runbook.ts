import type { Runbook } from './check.ts';
import { statusWorker } from './checks/status-worker.ts';
import { checks } from './index.ts';

const bySubject = new Map<string, Runbook>([
  [statusWorker.name, statusWorker.runbook],
  ...checks.flatMap(({ subjects, runbook }) => subjects.map(({ name }) => [name, runbook] as const)),
]);

/** Returns the runbook of what an incident names; undefined for a check of another release. */
export function entryOf(subject: string): Runbook | undefined {
  return bySubject.get(subject);
}
