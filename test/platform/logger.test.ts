import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';

const module = resolve(import.meta.dirname, '..', '..', 'src', 'platform', 'logger.ts');

describe("a process's log", () => {
  it('loses lines on a full disk, without ending the process', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const code = `
      const { createLogger } = await import(${JSON.stringify(module)});
      const log = createLogger('test', 'info');
      for (let line = 0; line < 20; line += 1) {
        log.info({ line }, 'line');
        await new Promise((next) => setTimeout(next, 5));
      }
      process.send('done');
      setInterval(() => {}, 1000);`;
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', full, 'inherit', 'ipc'],
    });
    closeSync(full);
    const ended = once(child, 'exit');
    const [message] = await Promise.race([once(child, 'message'), ended]);
    child.kill('SIGKILL');
    await ended;
    expect(message).to.equal('done');
  });
});
