// Runs the workers of this service.

import { jobs } from './jobs/index.ts';
import { runWorkers, type Service, type Worker } from './jobs/runtime/process.ts';
import { logKindOrExit, newLogKind } from './ledger/log-kind.ts';
import type { Config } from './platform/config/config.ts';

const service: Service = {
  jobs,
  async ready({ config, database, log }) {
    const settings = { process: config.process, site: config.site as Partial<Config<'ingest'>['site']> };
    // Settings for a live log suit every log, so nothing needs to wait for PostgreSQL.
    if (newLogKind(settings) !== 'live') await logKindOrExit(database, settings, log);
  },
};

/**
 * Runs workers in this process, which exits if their settings do not suit the log.
 * @param environmentOf returns a worker's settings. Default: those of the process
 */
export function run(workers: readonly Worker[], environmentOf?: (name: Worker['name']) => NodeJS.ProcessEnv) {
  return runWorkers(service, workers, environmentOf);
}
