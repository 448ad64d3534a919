// Preloaded by `bin/run` (`node --import`): modules must be patched before they are imported. Without
// OTEL_EXPORTER_OTLP_ENDPOINT it loads no part of OpenTelemetry.

import { parse } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSettings } from '../platform/config/read.mjs';

collectAtExit();

const { name: entry } = parse(process.argv[1] ?? '');
const name = { server: 'web', all: 'workers' }[entry] ?? entry;
// Wrong settings are reported by the process itself, a moment later.
const { values } = readSettings(process.env);
const endpoint = (values as { process: { tracesUrl?: URL } }).process.tracesUrl;
if (endpoint !== undefined) {
  const { startTracing } = await import('./tracing.ts');
  startTracing(endpoint, name);
}

/**
 * Collects garbage as this process exits. Otherwise the exit may hang: it waits for code that V8 compiles in the background, which may
 * wait for a collection (https://github.com/nodejs/node/issues/54918).
 */
function collectAtExit(): void {
  process.on('exit', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  });
}
