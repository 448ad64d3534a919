import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { CheckName } from '../platform/config/settings.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';

/** The health of one check, best first. */
export const statuses = ['ok', 'degraded', 'down'] as const;
export type Status = (typeof statuses)[number];

/** `ok` for an empty list. */
export function worst(list: Iterable<Status>): Status {
  let rank = 0;
  for (const status of list) rank = Math.max(rank, statuses.indexOf(status));
  return statuses[rank] as Status;
}

/** The figures at which a check becomes degraded and down, inclusive. */
export interface Thresholds {
  degraded: number;
  down: number;
}

export function rate(figure: number, { degraded, down }: Thresholds): Status {
  return figure >= down ? 'down' : figure >= degraded ? 'degraded' : 'ok';
}

/** State that a check keeps for its next run, across restarts: the observation, and when it was first made. */
export interface Remembered {
  mark: string;
  since: EpochMs;
}

/** The connections belong to the status worker. */
export interface CheckContext {
  database: Database;
  /** Resolves when PostgreSQL answers on a new connection. */
  probe(): Promise<unknown>;
  redis: RedisClient;
  /** Like {@link redis}, for rendered boards. */
  cacheRedis: RedisClient;
  queues: Enqueue['queues'];
  now: EpochMs;
  /** The machine's clock. BullMQ uses it to stamp jobs. */
  machineNow: EpochMs;
  /** Returns what the finding of this name stored in the previous run. */
  before(name: string): Remembered | undefined;
}

export interface Finding {
  status: Status;
  /** A sentence for operators. It is public: no secrets, no addresses. */
  message: string;
  ageSeconds?: number;
  /** Set if it is a count or a duration. */
  value?: number;
  remember?: Remembered;
}

export interface Subject {
  name: string;
  title: string;
  /** Names of subjects that explain this one while they are down. It then opens no incident. */
  dependsOn: readonly string[];
}

export interface Declaration {
  name: CheckName;
  /** The figure that the thresholds limit, such as "How long a queue has had no worker." */
  about: string;
  thresholds: Thresholds;
  unit: 'seconds' | 'jobs';
  runbook: Runbook;
}

/** Sentences that alerts, pages, and docs/operations.md show. */
export interface Runbook {
  means: string;
  /** Effect on the site's readers, in their words. */
  readers: string;
  lookAt: string;
  first: string;
}

/** A check measures one figure of one or more subjects, such as the age of every board. */
export interface Check extends Declaration {
  subjects: readonly Subject[];
  /**
   * @param thresholds the defaults, or those that `CHECKS` sets
   * @returns a finding for each subject, by name
   * @throws any error of its reads; its subjects are then unknown for this round
   */
  measure(context: CheckContext, thresholds: Thresholds): Promise<Map<string, Finding>>;
}

export type NamedContext = CheckContext & { name: string };

interface AgeCheck extends Omit<Subject, 'name'>, Omit<Declaration, 'unit'> {
  measure(context: NamedContext): Promise<Aged>;
}

export interface Aged extends Pick<Finding, 'message' | 'value' | 'remember'> {
  /** Null if there is nothing to measure; the check is then ok. */
  seconds: number | null;
  atLeast?: Status;
}

export function ageCheck({ title, dependsOn, measure, ...declaration }: AgeCheck): Check {
  const { name } = declaration;
  return {
    ...declaration,
    subjects: [{ name, title, dependsOn }],
    unit: 'seconds',
    measure: async (context, thresholds) =>
      new Map([[name, aged(await measure({ ...context, name }), thresholds)]]),
  };
}

export function aged({ seconds, atLeast = 'ok', ...rest }: Aged, thresholds: Thresholds): Finding {
  if (seconds === null) return { status: atLeast, ...rest };
  const whole = Math.max(0, Math.floor(seconds));
  return { status: worst([rate(seconds, thresholds), atLeast]), ageSeconds: whole, ...rest };
}

/** Imported history has old instants. @param seconds age according to the data. @param mark as in {@link unchangedFor} */
export function observedFor(context: NamedContext, mark: string, seconds: number) {
  const held = unchangedFor(context, mark);
  return { ...held, seconds: Math.min(held.seconds, seconds) };
}

/** For a state without timestamps, from the first run that saw it. @param mark identifies the state; a new mark starts over */
export function unchangedFor({ before, now, name }: NamedContext, mark: string) {
  const known = before(name);
  const remember: Remembered = known?.mark === mark ? known : { mark, since: now };
  return { seconds: (now - remember.since) / 1000, remember };
}

/** Number of waiting items that a healthy worker does in a second, on a busy machine. */
const donePerSecond = 50;

/**
 * Measures how long work has waited without progress. An import or a demo brings more than is done at once: work under way is not late.
 * @param oldest identifies the oldest waiting item
 * @param count of all waiting items
 * @returns `waited`: that time; `seconds`: what of it a healthy worker would not have needed either
 */
export function stuckFor({ before, now, name }: NamedContext, oldest: string, count: number) {
  const known = before(name);
  const [mark, fewest] = known?.mark.split(' ') ?? [];
  const isStuck = known !== undefined && mark === oldest && count >= Number(fewest);
  const remember: Remembered = isStuck ? known : { mark: `${oldest} ${count}`, since: now };
  const waited = (now - remember.since) / 1000;
  return { seconds: Math.max(0, waited - Math.floor(count / donePerSecond)), waited, remember };
}

export interface CheckResult {
  subject: Subject;
  /** Undefined if the check could not measure it. */
  finding: Finding | undefined;
}

/** Timeout of a check, in ms. A check that takes longer has no finding. */
const timeoutMs = 8000;

/** Timeout of a statement, in ms. Shorter than that of its check, so that the transaction can continue. */
const statementMs = 6000;

/**
 * Runs all checks. A check that fails or hangs leaves its subjects without a finding and does not affect the others. Checks that read
 * PostgreSQL share a transaction; after a failure, each remaining one gets its own.
 */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  log: Logger,
): Promise<CheckResult[]> {
  const found = new Map<Check, Map<string, Finding>>();
  const begun = new Set<Check>();
  const begin = async (check: Check, database: Database) => {
    begun.add(check);
    const measuring = check.measure({ ...context, database }, check.thresholds);
    found.set(check, await withTimeout(measuring, timeoutMs));
  };
  const attempt = (check: Check) =>
    begin(check, context.database).catch((error: Error) =>
      log.debug({ err: error.message, check: check.name }, 'check failed'),
    );
  const [others, reading] = [false, true].map((reads) =>
    checks.filter(
      ({ subjects }) => subjects.some(({ dependsOn }) => dependsOn.includes('database')) === reads,
    ),
  ) as [Check[], Check[]];
  let late = false;
  const shared = context.database.transaction(async (transaction) => {
    await transaction.raw(`set local statement_timeout = ${statementMs}`);
    for (const check of reading) if (!late) await begin(check, transaction);
  });
  await Promise.all([
    ...others.map(attempt),
    withTimeout(shared, timeoutMs).catch((error: Error) =>
      log.debug({ err: error.message }, 'checks do not share a transaction'),
    ),
  ]);
  late = true;
  await Promise.all(reading.filter((check) => !begun.has(check)).map(attempt));
  return checks.flatMap((check) =>
    check.subjects.map((subject) => ({ subject, finding: found.get(check)?.get(subject.name) })),
  );
}
