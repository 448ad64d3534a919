import { Gauge, type Registry } from 'prom-client';
import type { Answers } from '../../answers/answers.ts';
import type { Changes } from '../../answers/changes.ts';
import { paramsReader } from '../../boards/endpoint.ts';
import { handle, optionalSport } from '../../boards/params.ts';
import { knownCapper } from '../../boards/subjects.ts';
import type { Availability } from '../../platform/availability.ts';
import type { Database } from '../../platform/database.ts';
import { clientKey } from '../../platform/fair-queue.ts';
import type { Logger } from '../../platform/logger.ts';
import { Type } from '../../platform/type.ts';
import { logEnd, readStreamEvents, streamEventSchema } from '../../stream/events.ts';
import { BeyondLog, createHub, type Hub } from '../../stream/hub.ts';
import { problem } from '../answer.ts';
import { described, type Route } from '../routes.ts';

export interface StreamHubDeps {
  database: Database;
  availability: Availability;
  baseUrl: string;
  /** Reports that the log may have grown. Default: the hub polls the log every few seconds. */
  changes?: Pick<Changes, 'onChange'> | undefined;
  log: Logger;
  metrics?: Registry | undefined;
}

export function createStreamHub(deps: StreamHubDeps): Hub {
  const { database, availability, baseUrl, changes, log, metrics } = deps;
  const hub = createHub(
    {
      end: () => availability.run(() => logEnd(database)),
      events: (from, to) => availability.run(() => readStreamEvents(database, from, to, baseUrl)),
    },
    { onError: (error) => log.warn({ err: error }, 'cannot read the log for the event stream: retrying') },
  );
  changes?.onChange(hub.wake);
  if (metrics !== undefined)
    new Gauge({
      name: 'public_picks_stream_clients',
      help: 'Clients of /api/stream.',
      registers: [metrics],
      collect() {
        this.set(hub.count());
      },
    });
  return hub;
}

export interface StreamRouteDeps {
  hub: Hub;
  answers: Pick<Answers, 'sports'>;
  database: Database;
  availability: Availability;
  limits?: StreamLimits;
}

export interface StreamLimits {
  /** Limit on all clients; 503 beyond. */
  total: number;
  /** Limit on clients per address (IPv6: per /64); 429 beyond. */
  perAddress: number;
}

/** Below the port's connection limit, so that other requests have room. */
const defaultLimits: StreamLimits = { total: 6_000, perAddress: 100 };

const logIndex = Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER });

const headers = Type.Object({
  'Last-Event-ID': Type.Optional({
    ...logIndex,
    must: 'the id of an event',
    description: 'The `id` of the last event received. EventSource sends it automatically.',
  }),
});
const readHeaders = paramsReader(headers);

/** docs/api.md#the-event-stream */
export function streamRoute({
  hub,
  answers,
  database,
  availability,
  limits = defaultLimits,
}: StreamRouteDeps): Route {
  const open = new Map<string, number>();
  let total = 0;
  return described({
    path: '/api/stream',
    query: Type.Object({
      capper_handle: Type.Optional({ ...handle, description: 'Only picks by this capper.' }),
      sport: optionalSport,
      after: Type.Optional({
        ...logIndex,
        description:
          'Start after this index in the log; -1 starts at the beginning. Default: new events only. `Last-Event-ID` takes precedence.',
      }),
    }),
    id: 'followPicks',
    section: 'feeds',
    about:
      'Server-Sent Events: picks as they are posted, closed, and settled, in log order. The `id` of an event is its index in the log. Reconnecting with `Last-Event-ID` continues after it, without gaps or duplicates. Imported picks are not included.',
    headers,
    answer: {
      type: 'text/event-stream',
      schema: Type.String({
        description: 'The `data` of each event is JSON.',
        contentMediaType: 'application/json',
        contentSchema: streamEventSchema,
      }),
      untagged: true,
    },
    refusals: {
      400: 'A parameter is invalid, or the log has no such entry.',
      404: 'No such capper.',
      429: 'Too many streams from one address. Try again after Retry-After.',
      503: 'Too many streams, or the ledger is unavailable. Try again after Retry-After.',
    },
    async handle(request) {
      const { capper_handle, sport, after = undefined } = request.query(await answers.sports());
      const received = readHeaders({ 'Last-Event-ID': request.header('Last-Event-ID') }, undefined);
      const last = received['Last-Event-ID'] ?? after;
      const address = clientKey(request.ip);
      const ofAddress = open.get(address) ?? 0;
      if (ofAddress >= limits.perAddress)
        throw problem(
          429,
          `The limit is ${limits.perAddress} open streams per address. Close one and try again.`,
          { retryAfter: 30 },
        );
      if (total >= limits.total)
        throw problem(503, 'Too many streams are open. Try again in 30 seconds.', { retryAfter: 30 });
      open.set(address, ofAddress + 1);
      total += 1;
      const release = () => {
        total -= 1;
        const left = (open.get(address) ?? 1) - 1;
        if (left === 0) open.delete(address);
        else open.set(address, left);
      };
      try {
        if (capper_handle !== undefined) await availability.run(() => knownCapper(database, capper_handle));
        const body = await hub.follow(last, { handle: capper_handle, sport });
        body.once('close', release);
        return { type: 'text/event-stream', body, headers: { 'X-Accel-Buffering': 'no' } };
      } catch (error) {
        release();
        if (!(error instanceof BeyondLog)) throw error;
        throw problem(400, `The log has no entry ${last}: its last one is ${error.last}.`);
      }
    },
  });
}
