import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import {
  type CheckpointStore,
  CheckpointStoreError,
  checkpointStore,
  fileStore,
} from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { withFolder } from '../support/folders.ts';
import { otherDatabase } from '../support/other-postgres.ts';
import { withOutage } from '../support/outage.ts';
import { latencyMs } from '../support/patience.ts';
import { until } from '../support/until.ts';

/** Swaps until it has won `wins` times. @returns each replaced note with its replacement */
async function contend(store: CheckpointStore, name: string, wins: number): Promise<[string, string][]> {
  const won: [string, string][] = [];
  while (won.length < wins) {
    const before = await store.read();
    const next = `${Number.parseInt(before ?? '0', 10) + 1} by ${name}\n`;
    if (await store.compareAndSwap(before, next)) won.push([before!, next]);
  }
  return won;
}

/** Checks that the successful swaps form one chain. */
function expectChain(won: readonly [string, string][], first: string, last: string | null): void {
  const after = new Map(won);
  expect(after.size, 'a note was replaced twice').to.equal(won.length);
  let note: string | undefined = first;
  for (let length = 0; length < won.length; length += 1) note = after.get(note!);
  expect(note).to.equal(last);
}

function behavesAsStore(open: () => CheckpointStore): void {
  it('swaps only if it holds the expected checkpoint', async () => {
    const store = open();
    expect(await store.read()).to.equal(null);
    expect(await store.compareAndSwap('x\n', 'y\n'), 'from a note where there is none').to.equal(false);
    expect(await store.compareAndSwap(null, '0\n')).to.equal(true);
    expect(await store.compareAndSwap(null, 'y\n'), 'from nothing where there is a note').to.equal(false);
    expect(await store.compareAndSwap('x\n', 'y\n')).to.equal(false);
    expect(await store.read()).to.equal('0\n');
  });

  it('lets one of several concurrent swaps win', async () => {
    const store = open();
    const names = ['a', 'b', 'c', 'd'];
    const won = (await Promise.all(names.map((name) => contend(open(), name, 5)))).flat();
    expectChain(won, '0\n', await store.read());
  });

  it('sets aside a checkpoint only if it is the stored one', async () => {
    const store = open();
    const note = (await store.read())!;
    const refused = await store.setAside('another', 'log_1').catch((error: Error) => error);
    expect(refused).to.be.instanceOf(CheckpointStoreError);
    expect(await store.setAside(note, 'log_1')).to.contain('log_1');
    expect(await store.read()).to.equal(null);
  });
}

describe('a checkpoint store in a file', () => {
  const folder = withFolder();
  const path = () => join(folder.path(), 'checkpoint');
  behavesAsStore(() => checkpointStore(path()));

  it('leaves no temporary files, and removes those of a killed process', async () => {
    writeFileSync(`${path()}.draft-killed`, 'half of a no');
    expect(await fileStore(path()).compareAndSwap(null, '0\n')).to.equal(true);
    expect(readdirSync(folder.path()).sort()).to.deep.equal(['checkpoint', 'checkpoint.log_1']);
  });

  it('serializes processes, and a stopped one blocks no other', async () => {
    const script = `
      import { fileStore } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/ledger/publishing/checkpoint-store/open.ts'))};
      const store = fileStore(process.argv[1]);
      const won = [];
      for (const end = Date.now() + 700; Date.now() < end; ) {
        const before = await store.read();
        const next = Number.parseInt(before, 10) + 1 + ' by ' + process.pid + '\\n';
        if (await store.compareAndSwap(before, next)) won.push([before, next]);
      }
      console.log(JSON.stringify(won));`;
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script, path()], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const outputs = children.map(async (child) => {
      let output = '';
      child.stdout.on('data', (part) => {
        output += part;
      });
      await once(child, 'close');
      return JSON.parse(output) as [string, string][];
    });
    try {
      const [stopped] = children;
      const before = await fileStore(path()).read();
      let now = before;
      while (now === before) now = await fileStore(path()).read();
      stopped!.kill('SIGSTOP');
      const others = (await Promise.all(outputs.slice(1))).flat();
      expect(others.length).to.be.greaterThan(0);
      stopped!.kill('SIGCONT');
      expectChain([...others, ...(await outputs[0]!)], '0\n', await fileStore(path()).read());
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });

  it('gives up on a disk that hangs, calls it only once, and recovers', async () => {
    const path = join(folder.path(), 'hangs');
    // Opening a pipe waits for its other end, in a thread that nothing interrupts.
    execFileSync('mkfifo', [path]);
    const store = fileStore(path, 100);
    for (let call = 0; call < 20; call += 1)
      expect(await store.read().catch(String)).to.equal(
        'CheckpointStoreError: The checkpoint file cannot be read (ETIMEDOUT).',
      );
    // Other files can still be read, so not all threads hang.
    expect(await fileStore(join(folder.path(), 'other')).read()).to.equal(null);
    writeFileSync(path, 'a note\n');
    rmSync(path);
    await until(async () => (await store.read().catch(() => undefined)) === null);
  });

  it('reports what is wrong with the file, without its path', async () => {
    const store = fileStore(folder.path());
    expect(await store.read().catch(String)).to.equal(
      'CheckpointStoreError: The checkpoint file cannot be read (EISDIR).',
    );
    expect(await fileStore('/not/there/checkpoint').compareAndSwap(null, '1\n').catch(String)).to.equal(
      'CheckpointStoreError: The checkpoint file cannot be written (ENOENT).',
    );
  });
});

describe('a checkpoint store in another PostgreSQL', () => {
  let url = '';
  before(async () => {
    url = await otherDatabase();
  });
  behavesAsStore(() => checkpointStore(url));

  it('is unavailable within seconds when the server is down or silent, and recovers', async () => {
    const outage = await withOutage(url);
    try {
      const store = checkpointStore(outage.url);
      expect(await store.compareAndSwap(null, '1\n')).to.equal(true);
      outage.freeze();
      const began = performance.now();
      expect(await store.read().catch(String)).to.match(
        /^CheckpointStoreError: The checkpoint store is unavailable/,
      );
      expect(performance.now() - began).to.be.lessThan(latencyMs(20_000));
      await outage.restore();
      await outage.cut();
      expect(await store.compareAndSwap('1\n', '2\n').catch(String)).to.match(/unavailable \(ECONNREFUSED\)/);
      await outage.restore();
      expect(await store.read()).to.equal('1\n');
    } finally {
      await outage.close();
    }
  });
});
