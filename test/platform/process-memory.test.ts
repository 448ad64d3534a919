import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '..', '..');
const preloaded = ['--import', './src/telemetry/start.ts', '--input-type=module', '-e'];
const loaded = '[...process.moduleLoadList].some((name) => name.includes("deps/undici"))';

/** Runs Node until it exits, whatever its status. */
async function node(args: readonly string[]) {
  const options = { cwd: root, env: { PATH: process.env.PATH }, maxBuffer: 2 ** 25 };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
      stdout,
      stderr,
      code,
    }),
  );
}

describe('a process of the Procfile', () => {
  it('collects garbage as it exits, so that its exit waits for no other thread', async () => {
    const { stdout, code } = await node(['--trace-gc', ...preloaded, 'process.exit(3)']);
    expect(stdout).to.contain('Mark-Compact');
    expect(code).to.equal(3);
  });

  it('imports `node:http` without the client that Node has behind it', async () => {
    const code = `import http, { createServer } from 'node:http';
      console.log(typeof createServer, typeof http.request, ${loaded});`;
    expect((await node([...preloaded, code])).stdout.trim()).to.equal('function function false');
    const without = await node(['--input-type=module', '-e', code]);
    expect(without.stdout.trim()).to.equal('function function true');
  });

  it('has `fetch` and WebSocket all the same', async () => {
    const code = 'console.log(typeof fetch, typeof WebSocket, new Response("body").status)';
    expect((await node([...preloaded, code])).stdout.trim()).to.equal('function function 200');
  });
});
