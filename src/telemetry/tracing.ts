import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { KoaInstrumentation } from '@opentelemetry/instrumentation-koa';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { loggedUrl } from '../http/transport/access-log.ts';
import { closeLast } from '../platform/shutdown.ts';

const flushMs = 2000;

/**
 * Sends traces of requests, jobs, queries, and outgoing calls to an OTLP collector until the process closes. Query values, arguments of
 * Redis commands, and paths of outgoing calls are omitted, because they may be credentials.
 * @param endpoint the collector's base URL
 * @param process_ the process, such as `web`
 */
export function startTracing(endpoint: URL, process_: string): void {
  const exporter = new OTLPTraceExporter({ url: new URL('/v1/traces', endpoint).href });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `public-picks-${process_}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  registerInstrumentations({
    instrumentations: [
      new HttpInstrumentation({
        // undici makes outgoing calls.
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url }) => url === '/livez' || url === '/readyz',
        applyCustomAttributesOnSpan: (span, request) => {
          const { url } = request as IncomingMessage;
          if (url === undefined) return;
          // Query strings may hold e-mail addresses. Traces omit them, as logs do.
          const shown = loggedUrl(url);
          span.setAttributes({
            'http.target': shown,
            'http.url': shown,
            'url.query': shown.split('?')[1] ?? '',
          });
        },
      }),
      new KoaInstrumentation(),
      // Workers poll all the time, so queries outside a request or job are not traced.
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new UndiciInstrumentation({
        requestHook: (span, { origin }) =>
          span.setAttributes({ 'url.full': String(origin), 'url.path': '/', 'url.query': '' }),
      }),
    ],
  });
  // Instrumentations patch what is required from now on; later imports get the same objects.
  const require = createRequire(import.meta.url);
  for (const name of ['http', 'koa', 'pg', 'ioredis']) require(name);
  // A failing collector must neither delay nor fail the shutdown.
  closeLast('traces', () => Promise.race([provider.shutdown().catch(() => {}), sleep(flushMs)]));
}
