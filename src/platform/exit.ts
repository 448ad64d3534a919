import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage as this process exits. Otherwise the exit may hang: it waits for code that V8 compiles in the background, which may
 * wait for a collection (https://github.com/nodejs/node/issues/54918).
 */
export function collectAtExit(): void {
  process.on('exit', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  });
}
