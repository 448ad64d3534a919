// Preloaded by `bin/run` (`node --import`), because modules must be patched before they are imported. Loads nothing of OpenTelemetry
// without OTEL_EXPORTER_OTLP_ENDPOINT.

import { parse } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSettings } from '../platform/config/read.ts';

collectAtExit();

const { name: entry } = parse(process.argv[1] ?? '');
const name = { server: 'web', all: 'workers' }[entry] ?? entry;
// The process itself reports wrong settings a moment later.
const { values } = readSettings(process.env);
const endpoint = (values as { process: { tracesUrl?: URL } }).process.tracesUrl;
if (endpoint !== undefined) {
  const { startTracing } = await import('./tracing.ts');
  startTracing(endpoint, name);
}

/**
 * Collects garbage when this process exits. Otherwise the exit may hang: it waits for V8's background compilation, which may wait for a
 * collection (https://github.com/nodejs/node/issues/54918).
 */
function collectAtExit(): void {
  process.on('exit', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  });
}
