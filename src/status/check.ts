import type { Redis } from 'ioredis';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Database } from '../platform/database.ts';

/** How well something is, from best to worst. */
export const statuses = ['ok', 'degraded', 'down'] as const;
export type Status = (typeof statuses)[number];

/** The worst of them; `ok` where there is none. */
export function worst(list: Iterable<Status>): Status {
  let rank = 0;
  for (const status of list) rank = Math.max(rank, statuses.indexOf(status));
  return statuses[rank] as Status;
}

/** From which figure on a check is degraded, and from which on it is down. */
export interface Thresholds {
  degraded: number;
  down: number;
}

export function rate(figure: number, { degraded, down }: Thresholds): Status {
  return figure >= down ? 'down' : figure >= degraded ? 'degraded' : 'ok';
}

/** What a check asks to be told again at its next look, also by the next process: what it saw, and since when it has been so. */
export interface Remembered {
  mark: string;
  /** Epoch milliseconds. */
  since: number;
}

/** What a check looks with: connections of the status worker's own. */
export interface Looking {
  database: Database;
  /** Fails fast. */
  redis: Redis;
  queues: Enqueue['queues'];
  /** The service's clock, in epoch milliseconds. */
  now: number;
  /** The machine's clock, in epoch milliseconds: queues stamp their jobs with it, whatever the service's shows. */
  machineNow: number;
  /** What the finding of this name asked to remember last time. */
  before(name: string): Remembered | undefined;
}

/** What one look found. */
export interface Finding {
  status: Status;
  /** A sentence that a tired operator understands at three in the morning. No secrets, no addresses: it is public. */
  message: string;
  /** Where the figure is an age, in seconds. */
  ageSeconds?: number;
  /** Where it is a count or a duration. */
  value?: number;
  remember?: Remembered;
}

/** A finding's name on the wire, and as people read it. */
export interface Subject {
  name: string;
  title: string;
  /** Checks that explain this one's trouble when they are down: it then has no incident of its own. */
  restsOn: readonly string[];
}

/** A check says everything about itself. One look may find several things of one kind, such as the age of every board. */
export interface Check {
  subjects: readonly Subject[];
  /** One sentence: what it looks at. */
  about: string;
  thresholds: Thresholds;
  /** What the thresholds count. */
  unit: 'seconds' | 'jobs';
  /**
   * @returns a finding for each subject, by name
   * @throws whatever reading throws: nothing is known then
   */
  look(looking: Looking): Promise<Map<string, Finding>>;
}

/** A check of one thing whose figure is a number of seconds. */
export interface AgeCheck extends Subject, Pick<Check, 'about' | 'thresholds'> {
  look(looking: Looking): Promise<Aged>;
}

export interface Aged {
  /** Null where there is nothing to judge: that is well. */
  seconds: number | null;
  message: string;
  value?: number;
  remember?: Remembered;
  /** At least this bad, whatever the seconds say. */
  atLeast?: Status;
}

export function ageCheck({ name, title, about, thresholds, restsOn, look }: AgeCheck): Check {
  return {
    subjects: [{ name, title, restsOn }],
    about,
    thresholds,
    unit: 'seconds',
    async look(looking) {
      return new Map([[name, aged(await look(looking), thresholds)]]);
    },
  };
}

/** Rates an age. */
export function aged({ seconds, atLeast = 'ok', ...rest }: Aged, thresholds: Thresholds): Finding {
  if (seconds === null) return { status: atLeast, ...rest };
  const whole = Math.max(0, Math.floor(seconds));
  return { status: worst([rate(seconds, thresholds), atLeast]), ageSeconds: whole, ...rest };
}

/**
 * For how long something has been as it is, at most for as long as it has been watched: while history is taken in, old instants pass by
 * that are no trouble.
 * @param seconds for how long by its own instants
 * @param mark as in {@link heldSince}
 */
export function watchedFor(looking: Looking, name: string, mark: string, seconds: number) {
  const held = heldSince(looking, name, mark);
  return { ...held, seconds: Math.min(held.seconds, seconds) };
}

/**
 * Since when something has been as it is, where nothing tells: since the first look that found it so.
 * @param mark names how it is; another mark starts over
 */
export function heldSince(
  { before, now }: Looking,
  name: string,
  mark: string,
): { seconds: number; remember: Remembered } {
  const known = before(name);
  const remember = known?.mark === mark ? known : { mark, since: now };
  return { seconds: (now - remember.since) / 1000, remember };
}
