// The Procfile's web process: the public port, in as many processes as WEB_CONCURRENCY says.

import { dirname, extname, join } from 'node:path';
import { configOrExit } from './platform/config/config.ts';
import { createLogger } from './platform/logger.ts';
import { superviseProcesses } from './platform/processes.ts';

const { http, process: ofProcess } = configOrExit('web');
if (http.concurrency === 1) await import('./server.ts');
else {
  // The server next to this file: of the sources, or of a bundle.
  const [, self = ''] = process.argv;
  superviseProcesses({
    file: join(dirname(self), `server${extname(self)}`),
    count: http.concurrency,
    log: createLogger('web', ofProcess.logLevel),
  });
}
