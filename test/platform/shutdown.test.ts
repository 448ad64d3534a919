import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';

const module = resolve(import.meta.dirname, '..', '..', 'src', 'platform');

/** Runs a process with the given closers, signals it, and returns how it ended. */
async function run(closers: string, signal: NodeJS.Signals = 'SIGTERM', seconds = 10) {
  const script = `
    const { createLogger } = await import(${JSON.stringify(`${module}/logger.ts`)});
    const { onSignal } = await import(${JSON.stringify(`${module}/shutdown.ts`)});
    const log = createLogger('test', 'info');
    onSignal(log, { ${closers} }, ${seconds});
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
  const lines: Record<string, unknown>[] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, messages: lines.slice(1).map(({ msg }) => msg), lines };
}

describe('closing on a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    it(`runs in order on ${signal} and ends the process, whatever is in progress`, async () => {
      const slow = `one: async () => { await new Promise((r) => setTimeout(r, 50)); log.info('first'); }`;
      expect(await run(`${slow}, two: async () => log.info('second')`, signal)).to.deep.include({
        code: 0,
        messages: ['closing', 'first', 'second', 'closed'],
      });
    });

  it('continues past a failure, and reports it', async () => {
    const closed = await run(
      `one: async () => { throw new Error('no'); }, two: async () => log.info('second')`,
    );
    expect(closed).to.deep.include({ code: 1, messages: ['closing', 'could not close', 'second', 'closed'] });
    expect(closed.lines.find(({ msg }) => msg === 'could not close')).to.include({ closing: 'one' });
  });

  it('ends at its deadline in any case, with status 1, and names what hung', async () => {
    const began = performance.now();
    const ended = await run(`one: async () => {}, two: () => new Promise(() => {})`, 'SIGTERM', 1);
    expect(ended).to.deep.include({
      code: 1,
      messages: ['closing', 'did not close in time: exiting anyway'],
    });
    expect(ended.lines.at(-1)).to.include({ hung: 'two', afterSeconds: 1 });
    expect(performance.now() - began).to.be.above(990);
  });
});
