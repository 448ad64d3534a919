// Preloaded by the processes of the Procfile (`node --import`): what is to be traced must be patched before anything imports it. Without
// OTEL_EXPORTER_OTLP_ENDPOINT this does nothing and loads nothing of OpenTelemetry.

import { basename } from 'node:path';
import { readSettings, SettingsError } from '../platform/settings.ts';

const entry = basename(process.argv[1] ?? '', '.ts');
const endpoint = configured();
if (endpoint !== '') {
  const { startTracing } = await import('./tracing.ts');
  startTracing(endpoint, entry === 'server' ? 'web' : entry);
}

/** Wrong settings are told by the process itself, a moment later. */
function configured(): string {
  try {
    return readSettings().OTEL_EXPORTER_OTLP_ENDPOINT;
  } catch (error) {
    if (error instanceof SettingsError) return '';
    throw error;
  }
}
