import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { boundedDisk } from '../../src/ledger/publishing/durable-file.ts';
import { folderStorage } from '../../src/ledger/publishing/log-files/configured.ts';
import { openLogFiles } from '../../src/ledger/publishing/log-files/log-files.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { latestCheckpoint, tileBytes } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { parseCheckpoint } from '../../src/proof/checkpoint.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import { newTiles, parseTilePath, tileLevels, tilePath } from '../../src/proof/tiles.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('the log as files', () => {
  const { database, folder } = { database: withDatabase(), folder: withFolder() };
  const publisher = {
    baseUrl: 'https://picks.example',
    demo: false,
    key: Buffer.alloc(32, 1).toString('base64'),
  };

  async function grow(by: number): Promise<void> {
    const texts = Array.from({ length: by }, (_, n) => ({
      at: new Date(now),
      topic: 'remark',
      text: `no ${n}`,
    }));
    await database.database('notices').insert(texts);
    await sealAll(database.database);
    await publishCheckpoint(database.database, publisher, now);
  }
  const pathOf = (name: string) => join(folder.path(), name);
  const filesOf = (name: string) =>
    readdirSync(pathOf(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(pathOf(name).length + 1))
      .sort();
  const noteIn = (name: string) => readFileSync(join(pathOf(name), 'checkpoint'), 'utf8');
  const sizeIn = (name: string) => parseCheckpoint(parseNote(noteIn(name)).text).size;

  /** Compares every file with the API's answer at its path, and checks that all of the checkpoint's tiles exist. */
  async function isWhole(name: string): Promise<void> {
    const newest = await latestCheckpoint(database.database);
    expect(noteIn(name)).to.equal(newest?.note);
    const size = newest?.size as number;
    const files = filesOf(name).filter((file) => file !== 'checkpoint');
    const wanted = tileLevels(size).flatMap((level) => newTiles(level, 0, size).map(tilePath));
    expect(files).to.include.members(wanted);
    for (const file of files) {
      const tile = parseTilePath(file);
      if (tile === null) throw new Error(`${file} is no tile`);
      const answered = await tileBytes(database.database, tile);
      expect(
        Buffer.compare(readFileSync(join(pathOf(name), file)), Buffer.from(answered ?? [])),
        file,
      ).to.equal(0);
    }
  }

  it("equals the API's answers as the log grows, without partial tiles that a full one replaces", async () => {
    const files = openLogFiles(database.database, folderStorage(pathOf('grown')));
    for (const by of [1, 200, 100, 300]) {
      await grow(by);
      await files.update();
      await isWhole('grown');
    }
    expect(filesOf('grown').filter((file) => file.startsWith('tile/entries/000'))).to.deep.equal([
      'tile/entries/000',
    ]);
    const before = statSync(join(pathOf('grown'), 'checkpoint')).ino;
    await files.update();
    expect(statSync(join(pathOf('grown'), 'checkpoint')).ino, 'nothing to write').to.equal(before);
  });

  it('has tiles before the checkpoint that covers them, and resumes after a failed write', async () => {
    const files = openLogFiles(database.database, folderStorage(pathOf('stopped')));
    mkdirSync(join(pathOf('stopped'), 'tile'), { recursive: true });
    writeFileSync(join(pathOf('stopped'), 'tile', '0'), 'in the way');
    await files.update().then(
      () => expect.fail('it was written'),
      (error: Error) => expect(error.message).to.match(/EEXIST|ENOTDIR/),
    );
    expect(existsSync(join(pathOf('stopped'), 'checkpoint'))).to.equal(false);
    const written = () => statSync(join(pathOf('stopped'), 'tile/entries/000')).ino;
    const first = written();
    rmSync(join(pathOf('stopped'), 'tile', '0'));
    await files.update();
    await isWhole('stopped');
    expect(written()).to.equal(first);
  });

  it('may have several writers: the checkpoint never goes back', async () => {
    const writers = Array.from({ length: 3 }, () =>
      openLogFiles(database.database, folderStorage(pathOf('shared'))),
    );
    let size = 0;
    for (let round = 0; round < 4; round += 1) {
      const behind = writers.map((writer) => writer.update());
      await grow(3);
      await Promise.all([...behind, ...writers.map((writer) => writer.update())]);
      if (!existsSync(join(pathOf('shared'), 'checkpoint'))) continue;
      expect(sizeIn('shared')).to.be.at.least(size);
      size = sizeIn('shared');
    }
    await writers[0]?.update();
    await isWhole('shared');
  });

  it('is not written into the folder of another log', async () => {
    const files = openLogFiles(database.database, folderStorage(pathOf('other')));
    await files.update();
    writeFileSync(
      join(pathOf('other'), 'checkpoint'),
      noteIn('other').replace('picks.example', 'other.example'),
    );
    await files.update().then(
      () => expect.fail('it was written'),
      (error: Error) =>
        expect(error.message).to.match(
          /the checkpoint of another log, of \d+ entries: empty the folder, or name another in LOG_FILES$/,
        ),
    );
  });

  it('stops after the current file when the process ends', async () => {
    const files = openLogFiles(database.database, folderStorage(pathOf('ended')));
    const updating = files.update();
    await files.close();
    expect(await updating).to.equal(0);
    expect(existsSync(join(pathOf('ended'), 'checkpoint'))).to.equal(false);
  });

  it('give up on a disk that hangs, and are written once it answers', async () => {
    const path = pathOf('hangs');
    mkdirSync(path);
    // Opening a pipe waits for its other end, in a thread that nothing interrupts.
    execFileSync('mkfifo', [join(path, 'checkpoint')]);
    const files = openLogFiles(database.database, folderStorage(path, 100));
    for (let update = 0; update < 10; update += 1)
      expect(String(await files.update().catch(String))).to.contain('cannot be read (ETIMEDOUT)');
    await files.close();
    writeFileSync(join(path, 'checkpoint'), '');
    rmSync(join(path, 'checkpoint'));
    const again = openLogFiles(database.database, folderStorage(path, 10_000));
    await until(async () =>
      again.update().then(
        () => true,
        () => false,
      ),
    );
    await isWhole('hangs');
  });

  it('are written one call at a time to a disk, and fail at once while it hangs', async () => {
    const bounded = boundedDisk('a disk', 50);
    let answer = () => {};
    const silent = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let calls = 0;
    const call = () =>
      bounded(() => {
        calls += 1;
        return silent;
      });
    for (let time = 0; time < 5; time += 1)
      expect(String(await call().catch(String))).to.contain('the disk does not answer');
    expect(calls).to.equal(1);
    answer();
    await until(async () =>
      call().then(
        () => true,
        () => false,
      ),
    );
  });
});
