import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fillCompileCache } from '../../src/local/compile-cache.ts';
import { smallHeap } from '../../src/local/procfile.ts';
import { withFolder } from '../support/folders.ts';

const root = resolve(import.meta.dirname, '..', '..');
const tells =
  'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.some((name)=>name.includes("amaro"))))';
describe('the compile cache', function () {
  this.timeout(180_000);
  const folder = withFolder();

  /** Whether an entry, which ends for lack of settings, loads Node's TypeScript stripper. */
  async function strips(entry: string, flags: readonly string[] = []): Promise<boolean> {
    const options = { cwd: root, env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder.path() } };
    const args = [
      ...flags,
      '--max-semi-space-size=4',
      '--import',
      './src/telemetry/start.ts',
      '--import',
      tells,
      '--import',
      './src/local/compile-only.mjs',
      entry,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout.trim()).to.be.oneOf(['true', 'false']);
    return stdout.trim() === 'true';
  }

  it('spares every process of the service the TypeScript stripper, also at a first start', async () => {
    expect(await strips('src/operator.ts')).to.equal(true);
    await fillCompileCache(root, folder.path());
    for (const entry of ['src/operator.ts', 'workers/sealing.ts'])
      expect(await strips(entry), entry).to.equal(false);
    for (const entry of ['src/web.ts', 'src/server.ts', 'workers/all.ts'])
      expect(await strips(entry, [smallHeap]), entry).to.equal(false);
  });

  it('is filled once for each state of the code', async () => {
    const filled = () => statSync(join(folder.path(), 'filled')).mtimeMs;
    const before = filled();
    await fillCompileCache(root, folder.path());
    expect(filled()).to.equal(before);
  });

  it('goes on without a process that does not end, and is filled another time', async () => {
    const project = join(folder.path(), 'project');
    for (const directory of ['src/telemetry', 'src/operator', 'workers', 'migrations'])
      mkdirSync(join(project, directory), { recursive: true });
    const endless = 'setInterval(() => {}, 60_000);';
    for (const [file, text] of Object.entries({
      ...{ 'package-lock.json': '{}', 'src/telemetry/start.ts': '', 'src/web.ts': '' },
      ...{ 'src/server.ts': endless, 'src/operator.ts': '', 'workers/all.ts': '' },
      'src/operator/queue-board.ts': '',
    }))
      writeFileSync(join(project, file), text);
    const cache = join(project, 'cache');
    await fillCompileCache(project, cache, undefined, 3_000);
    expect(existsSync(join(cache, 'filled'))).to.equal(false);
    writeFileSync(join(project, 'src/server.ts'), '');
    await fillCompileCache(project, cache);
    expect(existsSync(join(cache, 'filled'))).to.equal(true);
  });
});
