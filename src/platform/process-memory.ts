import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after which a process has loaded what it begins with. */
const loadedAfterMs = 5_000;

/**
 * Keeps this process small; to be called before any of its modules is imported. The flag `--optimize-for-size` leaves a heap little room:
 * code that is compiled in the background may wait for a collection while the process exits, and the exit waits for that code
 * (https://github.com/nodejs/node/issues/54918), so garbage is collected first.
 */
export function keepSmall(): void {
  leaveWebSocketUnloaded();
  dropCompiledCode();
  process.on('exit', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  });
}

/** Frees what this thread has read of the compile cache, some megabytes that Node keeps until the cache is written back. */
export function dropCompiledCode(afterMs = loadedAfterMs): void {
  setTimeout(flushCompileCache, afterMs).unref();
}

/** An `import` of `node:http` reads all that it exports, also what Node loads when it is first read: its HTTP and WebSocket client. */
function leaveWebSocketUnloaded(): void {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);
}
