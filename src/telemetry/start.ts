// Preloaded by the processes of the Procfile (`node --import`): modules must be patched before they are imported. Without
// OTEL_EXPORTER_OTLP_ENDPOINT it loads no part of OpenTelemetry.

import { basename } from 'node:path';
import { readConfigOf, SettingsError } from '../platform/config/config.ts';
import type { ProcessName } from '../platform/config/processes.mjs';

const entry = basename(process.argv[1] ?? '', '.ts');
const name = (entry === 'server' ? 'web' : entry) as Exclude<ProcessName, 'migrate'>;
const endpoint = configured();
if (endpoint !== undefined) {
  const { startTracing } = await import('./tracing.ts');
  startTracing(endpoint, name);
}

/** Wrong settings are reported by the process itself, a moment later. */
function configured(): URL | undefined {
  try {
    return readConfigOf(name, process.env).process.tracesUrl;
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}
