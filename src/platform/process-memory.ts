import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps this process small; to be called before any of its modules is imported. The flag `--optimize-for-size` leaves a heap little room:
 * code that is compiled in the background may wait for a collection while the process exits, and the exit waits for that code
 * (https://github.com/nodejs/node/issues/54918), so garbage is collected first.
 */
export function keepSmall(): void {
  leaveWebSocketUnloaded();
  process.on('exit', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  });
}

/** An `import` of `node:http` reads all that it exports, also what Node loads when it is first read: its HTTP and WebSocket client. */
function leaveWebSocketUnloaded(): void {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);
}
