// Preloaded by `bin/run` (`node --import`): modules must be patched before they are imported. Without
// OTEL_EXPORTER_OTLP_ENDPOINT it loads no part of OpenTelemetry.

import { parse } from 'node:path';
import { readSettings } from '../platform/config/read.mjs';
import { collectAtExit } from '../platform/exit.ts';

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
