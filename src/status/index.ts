import type { Config } from '../platform/config/config.ts';
import { checkNames } from '../platform/config/settings.ts';
import type { Check, Declaration, Runbook } from './check.ts';
import * as boards from './checks/boards.ts';
import * as log from './checks/log.ts';
import * as picks from './checks/picks.ts';
import * as queues from './checks/queues.ts';
import * as sources from './checks/sources.ts';
import * as stores from './checks/stores.ts';
import * as webhooks from './checks/webhooks.ts';

/** Checked by the process that shows the status, because a stopped worker cannot report itself. */
export const statusWorker: Declaration = {
  name: 'status-worker',
  about: 'How long ago the status worker last reported.',
  thresholds: { degraded: 60, down: 300 },
  unit: 'seconds',
  runbook: {
    means: 'The status worker does not report, so no checks run.',
    readers: 'The status page is out of date. The service itself may work normally.',
    lookAt: 'Whether the process runs, and its log.',
    first: 'Restart the status worker.',
  },
};

const isCheck = (value: unknown): value is Check =>
  typeof value === 'object' && value !== null && 'subjects' in value;

/** All checks of the status worker, in the order shown, that of their names. */
export const checks: readonly Check[] = [boards, log, picks, queues, sources, stores, webhooks]
  .flatMap((group) => Object.values<unknown>(group))
  .filter(isCheck)
  .sort((a, b) => checkNames.indexOf(a.name) - checkNames.indexOf(b.name));

export const declarations: readonly Declaration[] = [...checks, statusWorker];

export type Overrides = Config['status']['checks'];

export function overridden<D extends Declaration>(declared: D, overrides: Overrides): D {
  return { ...declared, thresholds: overrides[declared.name] ?? declared.thresholds };
}

export function checksWith(overrides: Overrides): readonly Check[] {
  return checks.map((check) => overridden(check, overrides));
}

/** Returns the runbook for an incident's subject; undefined for a check of another release. */
export function entryOf(subject: string): Runbook | undefined {
  const check = checks.find(({ subjects }) => subjects.some(({ name }) => name === subject));
  return (check ?? (subject === statusWorker.name ? statusWorker : undefined))?.runbook;
}
