import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';

const module = resolve(import.meta.dirname, '..', 'src');

/** Runs a process that closes the given way, sends it a signal and tells how it ended. */
async function run(closers: string, signal: NodeJS.Signals = 'SIGTERM') {
  const script = `
    const { createLogger } = await import(${JSON.stringify(`${module}/logger.ts`)});
    const { onSignal } = await import(${JSON.stringify(`${module}/shutdown.ts`)});
    const log = createLogger('test', 'info');
    onSignal(log, [${closers}]);
    setInterval(() => {}, 1000);
    log.info('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (String(chunk).includes('"up"')) child.kill(signal);
  });
  const [code] = await once(child, 'close');
  const messages = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  return { code, messages: messages.slice(1) };
}

describe('closing on a signal', function () {
  this.timeout(20_000);

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    it(`closes in order on ${signal} and ends, whatever is still going on`, async () => {
      const slow = `async () => { await new Promise((r) => setTimeout(r, 50)); log.info('first'); }`;
      expect(await run(`${slow}, async () => log.info('second')`, signal)).to.deep.equal({
        code: 0,
        messages: ['closing', 'first', 'second', 'closed'],
      });
    });

  it('closes the rest when one fails, and tells', async () => {
    expect(await run(`async () => { throw new Error('no'); }, async () => log.info('second')`)).to.deep.equal(
      {
        code: 1,
        messages: ['closing', 'could not close', 'second', 'closed'],
      },
    );
  });

  it('ends after ten seconds in any case', async () => {
    const began = performance.now();
    expect(await run(`() => new Promise(() => {})`)).to.deep.equal({
      code: 1,
      messages: ['closing', 'did not close in time: ending anyway'],
    });
    expect(performance.now() - began).to.be.within(9900, 15_000);
  });
});
