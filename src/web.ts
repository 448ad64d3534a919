// The Procfile's web process: the public port, in WEB_CONCURRENCY processes.

import { join } from 'node:path';
import { configOrExit } from './platform/config/config.ts';
import { createLogger } from './platform/logger.ts';
import { superviseProcesses } from './platform/processes.ts';

const { http, process: ofProcess } = configOrExit('web');
if (http.concurrency === 1) await import('./server.ts');
else {
  superviseProcesses({
    file: join(import.meta.dirname, 'server.ts'),
    count: http.concurrency,
    log: createLogger('web', ofProcess.logLevel),
  });
}
