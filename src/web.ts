// The Procfile's web process: the public port, in as many processes as WEB_CONCURRENCY says.

import { dirname, extname, join } from 'node:path';
import { configOrExit } from './platform/config/config.ts';
import { createLogger } from './platform/logger.ts';
import { superviseProcesses } from './platform/processes.ts';

const { http, process: ofProcess } = configOrExit('web');
if (http.concurrency === 1) await import('./server.ts');
else {
  // Of a bundle the processes run the bundle too.
  const [, self = ''] = process.argv;
  superviseProcesses({
    file: join(dirname(self), `server${extname(self)}`),
    count: http.concurrency,
    log: createLogger('web', ofProcess.logLevel),
  });
}
