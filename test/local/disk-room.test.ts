import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DiskRoom, diskRoom } from '../../src/local/disk-room.ts';
import { withFolder } from '../support/folders.ts';

const mib = 1_048_576;

describe("the space on the database's disk", () => {
  const folder = withFolder();
  const reserve = () => join(folder.path(), 'reserve');
  let room: DiskRoom;
  let free: number;
  let switched: boolean[];
  let printed: string[];
  let server: 'answers' | 'cannot store it' | 'is away';

  /** It answers only with free space, like a PostgreSQL that has exited. */
  const fails = () => server === 'is away' && (existsSync(reserve()) || free === 0);

  beforeEach(() => {
    rmSync(reserve(), { force: true });
    [free, switched, printed, server] = [200 * mib, [], [], 'answers'];
    room = diskRoom({
      folder: folder.path(),
      say: (line) => printed.push(line),
      async setReadOnly(isReadOnly) {
        if (fails() || (server === 'cannot store it' && existsSync(reserve()))) throw new Error(server);
        switched.push(isReadOnly);
      },
      async answers() {
        if (fails()) throw new Error(server);
      },
      freeBytes: () => free,
    });
  });

  it('has a reserve while there is enough, and the read-only state of an earlier start is lifted', async () => {
    await room.check();
    expect(statSync(reserve()).size).to.equal(32 * mib);
    expect(switched).to.deep.equal([false]);
    expect(printed).to.deep.equal([]);
  });

  it('makes the database read-only in time, and writable again when there is enough', async () => {
    await room.check();
    free = 31 * mib;
    await room.check();
    await room.check();
    expect(switched).to.deep.equal([false, true]);
    expect(printed.at(-1)).to.match(/it is read-only\. Free at least 48 MB\.$/);
    free = 40 * mib;
    await room.check();
    expect(switched).to.have.length(2);
    free = 48 * mib;
    await room.check();
    expect(switched).to.deep.equal([false, true, false]);
    expect(printed.at(-1)).to.equal('The database has space again and accepts writes.');
    expect(existsSync(reserve())).to.equal(true);
  });

  it('gains the reserve if the server needs space to become read-only', async () => {
    await room.check();
    [free, server] = [31 * mib, 'cannot store it'];
    await room.check();
    expect(existsSync(reserve())).to.equal(false);
    expect(switched).to.deep.equal([false, true]);
    expect(printed.at(-1)).to.match(/Free at least 80 MB\.$/);
    free = 70 * mib;
    await room.check();
    expect(existsSync(reserve())).to.equal(false);
    [free, server] = [80 * mib, 'answers'];
    await room.check();
    expect(existsSync(reserve())).to.equal(true);
    expect(switched.at(-1)).to.equal(false);
  });

  it('gains the reserve if a read-only server has exited, and is checked until the server answers', async () => {
    await room.check();
    free = 31 * mib;
    await room.check();
    expect(existsSync(reserve())).to.equal(true);
    [free, server] = [0, 'is away'];
    await room.check();
    expect(existsSync(reserve())).to.equal(false);
    [free, server] = [100 * mib, 'answers'];
    await room.check();
    expect(switched).to.deep.equal([false, true, false]);
  });
});
