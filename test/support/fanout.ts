import { type Lane, laneJobs, laneNames } from '../../src/jobs/declared.ts';
import type { Figures, Job } from '../../src/jobs/job.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { allowedHosts } from '../../src/platform/config/kinds.ts';
import type { Database } from '../../src/platform/database.ts';
import { createDeliveryClient, type DeliveryClient } from '../../src/webhooks/client/client.ts';
import { beginCycle, type CycleStart } from '../../src/webhooks/delivery/cycle.ts';
import { type DeliverDeps, deliver } from '../../src/webhooks/delivery/deliver.ts';
import { type FillDeps, fillLane } from '../../src/webhooks/delivery/fill-lane.ts';
import { createLanes } from '../../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../../src/webhooks/delivery/lease.ts';
import { ownPermits } from '../../src/webhooks/delivery/permits.ts';
import { parseEndpoint, parseTarget } from '../../src/webhooks/guard/target.ts';
import { createEventPages } from '../../src/webhooks/messages/events.ts';
import { createMessages } from '../../src/webhooks/messages/messages.ts';
import { deviceKeys } from '../../src/webhooks/messages/web-push.ts';
import { createSealer, type Sealer } from '../../src/webhooks/subscriptions/secrets.ts';
import { subscribe, type Wanted } from '../../src/webhooks/subscriptions/subscribe.ts';
import type { Device } from './device.ts';
import { fixedClock } from './fixed-clock.ts';
import { receiversAuthority } from './receivers.ts';

export const secretKey = Buffer.alloc(32, 1).toString('base64');

/** A fanout whose cycles are started by the test: no queue, no timer. */
export interface TestFanout {
  clock: Clock & { set(at: number | string): void };
  deps: DeliverDeps;
  sealer: Sealer;
  /** Subscribes as the API does; with keys, a device. */
  subscribe(
    url: string,
    filter?: { capper?: string; sport?: string; keys?: Device['keys'] } & Pick<
      Wanted,
      'market' | 'tier' | 'event'
    >,
  ): Promise<{ id: number; secret: string }>;
  /** Starts the next cycle, a minute later, and delivers until nothing is left of it. */
  cycle(): Promise<Round>;
  /** Runs a tick of the fanout without advancing the clock. */
  tick(): Promise<Round>;
  close(): Promise<void>;
}

export interface Round {
  fanout: CycleStart & {
    /** The number of subscriptions in the added pages. */
    due: number;
    /** The earliest delay after which a lane asks to be filled again. */
    againMs: number | null;
  };
  /** The deliveries' outcomes, in the order in which they ended. */
  outcomes: ({ id: number; lane: Lane } & Figures)[];
}

export interface TestFanoutOptions {
  allow: readonly string[];
  at?: string;
  client?: Partial<Parameters<typeof createDeliveryClient>[0]>;
  deps?: Partial<DeliverDeps>;
}

export async function createFanout(database: Database, options: TestFanoutOptions): Promise<TestFanout> {
  const clock = fixedClock(options.at ?? '2029-06-01T12:00:00Z');
  const began = clock.now();
  // The clock may lag the previous test's only as little as another machine's may.
  await database('webhook_cycles').update({ cycle: 0 });
  const allowed = allowedHosts(options.allow.join(','));
  const { certificate: ca } = await receiversAuthority();
  const client: DeliveryClient = createDeliveryClient({ allowed, ca, ...options.client });
  const sealer = createSealer(secretKey);
  const jobs: { id: number; lane: Lane }[] = [];
  let clients = 0;
  const add = (lane: Lane, ids: number[]) => jobs.push(...ids.map((id) => ({ id, lane })));
  const enqueue = {
    async addAll(job: Job, payloads: readonly { subscriptionIds: number[] }[]) {
      const lane = laneNames.find((name) => laneJobs[name].name === job.name)!;
      for (const { subscriptionIds } of payloads) add(lane, subscriptionIds);
      return true;
    },
    waiting: async () => 0,
  } as unknown as FillDeps['enqueue'];
  const deps: DeliverDeps = {
    clock,
    client,
    events: createEventPages(database),
    leases: createLeases(database, clock),
    // A minute passes when the test says so.
    lanes: createLanes(ownPermits(() => performance.now() + clock.now() - began)),
    messages: createMessages({ sealer, allowed, baseUrl: 'https://picks.example' }),
    moveToSlow: async (id) => add('slow', [id]),
    closing: new AbortController().signal,
    ...options.deps,
  };
  async function tick(): Promise<Round> {
    const cycle = await beginCycle(database, clock.now());
    const fills = [];
    for (const lane of cycle.behind)
      fills.push(await fillLane({ database, enqueue, clock, closing: new AbortController().signal }, lane));
    const again = fills.flatMap(({ againMs }) => (againMs === null ? [] : [againMs]));
    const fanout = {
      ...cycle,
      due: fills.reduce((sum, { due }) => sum + due, 0),
      againMs: again.length === 0 ? null : Math.min(...again),
    };
    const outcomes: Round['outcomes'] = [];
    while (jobs.length > 0)
      await Promise.all(
        jobs.splice(0).map(async ({ id, lane }) => {
          outcomes.push({ id, lane, ...(await deliver(deps, id, lane)).figures });
        }),
      );
    return { fanout, outcomes };
  }
  // Makes a test's first cycle a whole one.
  await tick();
  return {
    clock,
    deps,
    sealer,
    async subscribe(url, { capper = null, sport = null, keys, ...further } = {}) {
      const verdict = keys === undefined ? parseTarget(url, allowed) : parseEndpoint(url, allowed);
      if (!verdict.ok) throw new Error(verdict.reason);
      const owner = {
        client: `client ${++clients}`,
        ...(keys === undefined
          ? { ownerEmail: 'owner@example.org' }
          : { ownerEmail: null, keys: deviceKeys(keys) }),
      };
      const wanted = { ...owner, target: verdict.target, capperHandle: capper, sport, ...further };
      const subscribed = await subscribe(database, sealer, wanted, clock.now());
      if (!subscribed.ok) throw new Error(subscribed.fault.message);
      return { id: subscribed.id, secret: subscribed.secret };
    },
    cycle() {
      clock.set(clock.now() + 60_000);
      return tick();
    },
    tick,
    close: () => client.close(),
  };
}
