import { jobs } from '../jobs/index.ts';
import { type QueueName, queueNames } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { CheckName } from '../platform/config/settings.mjs';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';

/** The health of one check, best first. */
export const statuses = ['ok', 'degraded', 'down'] as const;
export type Status = (typeof statuses)[number];

/** Returns the worst status; `ok` for an empty list. */
export function worst(list: Iterable<Status>): Status {
  let rank = 0;
  for (const status of list) rank = Math.max(rank, statuses.indexOf(status));
  return statuses[rank] as Status;
}

/** The figures at which a check becomes degraded and down. Both bounds are inclusive. */
export interface Thresholds {
  degraded: number;
  down: number;
}

export function rate(figure: number, { degraded, down }: Thresholds): Status {
  return figure >= down ? 'down' : figure >= degraded ? 'degraded' : 'ok';
}

/** What a check carries over to its next run, across restarts: the observed state and when it was first seen. */
export interface Remembered {
  mark: string;
  /** Epoch milliseconds. */
  since: number;
}

/** What a check runs with. The connections belong to the status worker. */
export interface CheckContext {
  database: Database;
  /** Resolves when PostgreSQL answers on a new connection. */
  probe(): Promise<void>;
  /** Fails fast. */
  redis: RedisClient;
  /** The same to the Redis of rendered boards. */
  cacheRedis: RedisClient;
  queues: Enqueue['queues'];
  /** The service's clock, in epoch milliseconds. */
  now: number;
  /** The machine's clock, in epoch milliseconds. BullMQ stamps jobs with it, not with the service's clock. */
  machineNow: number;
  /** What the finding of this name asked to remember in the previous run. */
  before(name: string): Remembered | undefined;
}

/** The outcome of one check for one subject. */
export interface Finding {
  status: Status;
  /** A sentence for an operator at three in the morning. It is public: no secrets, no addresses. */
  message: string;
  /** The figure, if it is an age in seconds. */
  ageSeconds?: number;
  /** The figure, if it is a count or a duration. */
  value?: number;
  remember?: Remembered;
}

/** What a finding is about: its name on the wire and its title for people. */
export interface Subject {
  name: string;
  title: string;
  /** Checks that explain this one when they are down. It then opens no incident of its own. */
  restsOn: readonly string[];
}

/** What `CHECKS` and docs/settings.md know of a check. */
export interface Declaration {
  name: CheckName;
  /** Completes "How long" or "How many": the figure that the thresholds limit. */
  about: string;
  /** The defaults. */
  thresholds: Thresholds;
  /** The unit of the thresholds. */
  unit: 'seconds' | 'jobs';
}

/** A check measures one figure of one or several subjects, such as the age of every board. */
export interface Check extends Declaration {
  subjects: readonly Subject[];
  /**
   * @param thresholds those that apply: the defaults or what `CHECKS` says
   * @returns a finding for each subject, by name
   * @throws any error of its reads; its subjects are then unknown for this round
   */
  look(context: CheckContext, thresholds: Thresholds): Promise<Map<string, Finding>>;
}

/** A check of one subject whose figure is a number of seconds. */
interface AgeCheck extends Omit<Subject, 'name'>, Omit<Declaration, 'unit'> {
  look(context: CheckContext): Promise<Aged>;
}

export interface Aged {
  /** Null if there is nothing to judge; the check is then ok. */
  seconds: number | null;
  message: string;
  value?: number;
  remember?: Remembered;
  /** A lower bound for the status, whatever the seconds. */
  atLeast?: Status;
}

export function ageCheck({ name, title, about, thresholds, restsOn, look }: AgeCheck): Check {
  return {
    name,
    subjects: [{ name, title, restsOn }],
    about,
    thresholds,
    unit: 'seconds',
    async look(context, applied) {
      return new Map([[name, aged(await look(context), applied)]]);
    },
  };
}

/** The queues that some job belongs to. */
export const busyQueues: readonly QueueName[] = queueNames.filter((queue) =>
  jobs.some((job) => job.queue === queue),
);

/** Rates an age. */
export function aged({ seconds, atLeast = 'ok', ...rest }: Aged, thresholds: Thresholds): Finding {
  if (seconds === null) return { status: atLeast, ...rest };
  const whole = Math.max(0, Math.floor(seconds));
  return { status: worst([rate(seconds, thresholds), atLeast]), ageSeconds: whole, ...rest };
}

/**
 * Caps an age at the time for which the state has been observed: while history is imported, old instants pass by
 * that are no problem.
 * @param seconds the age by the data's own instants
 * @param mark as in {@link unchangedFor}
 */
export function observedFor(context: CheckContext, name: string, mark: string, seconds: number) {
  const held = unchangedFor(context, name, mark);
  return { ...held, seconds: Math.min(held.seconds, seconds) };
}

/**
 * Measures how long a state has lasted when the data does not tell: since the first run that saw it.
 * @param mark identifies the state; a different mark starts over
 */
export function unchangedFor(
  { before, now }: CheckContext,
  name: string,
  mark: string,
): { seconds: number; remember: Remembered } {
  const known = before(name);
  const remember = known?.mark === mark ? known : { mark, since: now };
  return { seconds: (now - remember.since) / 1000, remember };
}

/** A subject's outcome in one round. */
export interface CheckResult {
  subject: Subject;
  thresholds: Thresholds;
  /** Undefined if it could not be measured. */
  finding: Finding | undefined;
}

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
      found.set(check, await check.look({ ...context, database: given }, check.thresholds));
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
