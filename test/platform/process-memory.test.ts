import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { withFolder } from '../support/folders.ts';

const root = resolve(import.meta.dirname, '..', '..');
const preloaded = ['--import', './src/telemetry/start.ts', '--input-type=module', '-e'];
const loaded = '[...process.moduleLoadList].some((name) => name.includes("deps/undici"))';

/** Runs Node until it exits, whatever its status. */
async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: root, env: { PATH: process.env.PATH, ...env }, maxBuffer: 2 ** 25 };
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
  const folder = withFolder();

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

  it('frees what it has read of the compile cache', async () => {
    const code = `import { dropCompiledCode } from './src/platform/process-memory.ts';
      import { setTimeout } from 'node:timers/promises';
      dropCompiledCode(0);
      await setTimeout(1);
      process.stderr.write('then this\\n');`;
    const { stderr } = await node(['--input-type=module', '-e', code], {
      NODE_COMPILE_CACHE: folder.path(),
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    });
    expect(stderr).to.match(/Clear deserialized cache.*then this/s);
  });
});
