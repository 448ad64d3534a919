// Preloaded where modules are loaded for the compile cache alone: keeps what was compiled and ends the process at once. An ordinary exit
// waits for code that is compiled in the background, which may wait for the main thread (https://github.com/nodejs/node/issues/54918).

import { flushCompileCache } from 'node:module';

process.on('exit', () => {
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
});
