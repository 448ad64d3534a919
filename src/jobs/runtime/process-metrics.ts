import { hostname } from 'node:os';
import { AggregatorRegistry, collectDefaultMetrics, type MetricObject, Registry } from 'prom-client';
import type { Logger } from '../../platform/logger.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { checker } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';

/** Interval between publications of a process's metrics, and their expiry, in ms. */
const everyMs = 5_000;
const keepMs = 20_000;

/** Key of the set of publishing processes, and the prefix of each process's key. */
const index = 'public-picks:metrics';
const keyOf = (instance: string) => `${index}:${instance}`;

/** In ms. Each sample wakes the process: at the default of 10, sampling is most of its idle CPU. */
const loopSampleMs = 100;

/** Returns a registry with the process's memory, CPU, and event loop; callers register further metrics. */
export function processRegistry(process_: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: process_, instance: instanceOf(process_) });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSampleMs });
  return registry;
}

export function instanceOf(process_: string): string {
  return `${process_}@${hostname()}:${process.pid}`;
}

/** To Redis, because Prometheus scrapes one port for all processes: the operator's. Never blocks while Redis is unavailable. */
export function publishMetrics(process_: string, redis: RedisClient, log: Logger) {
  const registry = processRegistry(process_);
  const instance = instanceOf(process_);
  const publish = async () => {
    try {
      const figures = JSON.stringify(await registry.getMetricsAsJSON());
      await Promise.all([redis.sadd(index, instance), redis.set(keyOf(instance), figures, 'PX', keepMs)]);
    } catch (error) {
      log.debug({ err: (error as Error).message }, 'metrics not published');
    }
  };
  const timer = setInterval(() => void publish(), everyMs).unref();
  redis.once('ready', () => void publish());
  if (redis.status === 'ready') void publish();
  return {
    registry,
    async stop() {
      clearInterval(timer);
      await Promise.allSettled([redis.srem(index, instance), redis.del(keyOf(instance))]);
    },
  };
}

const checkFigures = checker(
  Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-zA-Z_:][a-zA-Z0-9_:]*$' }),
      help: Type.String(),
      type: Type.Enum(['counter', 'gauge', 'histogram', 'summary']),
      aggregator: Type.Enum(['sum', 'first', 'min', 'max', 'average', 'omit']),
      values: Type.Array(
        Type.Object({
          value: Type.Union([Type.Number(), Type.Null()]),
          metricName: Type.Optional(Type.String()),
          labels: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        }),
      ),
    }),
  ),
);

/** Of this and all publishing processes, as text for Prometheus. The labels `process` and `instance` distinguish them. */
export async function allMetrics(own: Registry, redis: RedisClient): Promise<string> {
  const all = [await own.getMetricsAsJSON(), ...(await publishedMetrics(redis).catch(() => []))];
  return AggregatorRegistry.aggregate(all as unknown as MetricObject[]).metrics();
}

async function publishedMetrics(redis: RedisClient): Promise<MetricObject[][]> {
  const instances = await redis.smembers(index);
  const texts = await Promise.all(instances.map((instance) => redis.get(keyOf(instance))));
  const silent = instances.filter((_, at) => texts[at] === null);
  if (silent.length > 0) await redis.srem(index, ...silent);
  return texts.flatMap((text) => {
    const checked = checkFigures(text == null ? undefined : parsed(text));
    // JSON turns NaN, the value of a quantile without samples, into null.
    return checked.ok
      ? [
          checked.value.map((metric) => ({
            ...metric,
            values: metric.values.filter(({ value }) => value !== null),
          })) as unknown as MetricObject[],
        ]
      : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
