import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { KoaInstrumentation } from '@opentelemetry/instrumentation-koa';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { loggedUrl } from '../http/access-log.ts';
import { closeLast } from '../platform/shutdown.ts';

/** Milliseconds to hand over what was not sent yet when the process closes. */
const lastWordMs = 2000;

/**
 * Sends traces of requests, jobs, queries and outgoing calls to an OTLP collector, until the process closes. Without values of queries,
 * arguments of Redis commands, and paths of outgoing calls, which may be credentials.
 * @param endpoint the collector's base address
 * @param process_ the process, such as `web`
 */
export function startTracing(endpoint: URL, process_: string): void {
  const sdk = new NodeSDK({
    serviceName: `public-picks-${process_}`,
    autoDetectResources: false,
    traceExporter: new OTLPTraceExporter({ url: new URL('/v1/traces', endpoint).href }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        // What the service itself asks goes through undici.
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url }) => url === '/livez' || url === '/readyz',
        applyCustomAttributesOnSpan: (span, request) => {
          const { url } = request as IncomingMessage;
          if (url === undefined) return;
          // E-mail addresses come as query strings: those stay out of traces as they stay out of the logs.
          const shown = loggedUrl(url);
          span.setAttributes({
            'http.target': shown,
            'http.url': shown,
            'url.query': shown.split('?')[1] ?? '',
          });
        },
      }),
      new KoaInstrumentation(),
      // Queues are asked for work all the time: without something that it belongs to, a query is not worth a trace.
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new UndiciInstrumentation({
        requestHook: (span, { origin }) =>
          span.setAttributes({ 'url.full': String(origin), 'url.path': '/', 'url.query': '' }),
      }),
    ],
  });
  sdk.start();
  // They patch what is required from here on; the service imports the same objects later, whichever way.
  const require = createRequire(import.meta.url);
  for (const name of ['http', 'koa', 'pg', 'ioredis']) require(name);
  // A collector that is away must not hold up the end, nor make it a failure.
  closeLast('traces', () => Promise.race([sdk.shutdown().catch(() => {}), sleep(lastWordMs)]));
}
