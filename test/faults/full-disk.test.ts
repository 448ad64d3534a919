import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { closeAfter } from '../support/cleanup.ts';
import { ownRedis } from '../support/own-redis.ts';
import { commandsOf, openTerminal, surroundings } from '../support/pasted.ts';
import { until } from '../support/until.ts';

const readme = commandsOf('README.md');

/** Requires its own file system, which only root may mount, and not in every container. */
describe('npm start on a full disk', () => {
  const disk = join(tmpdir(), `public-picks-full-${process.pid}`);
  const startsAt = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + 48 * 3_600_000).toISOString();
  const game = { sport: 'nfl', game: 'Owls @ Hares', startsAt };
  let [site, operator] = ['', ''];

  before(async function () {
    this.timeout(300_000);
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=0711', 'tmpfs', disk]);
    const redis = await ownRedis();
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    [site, operator] = [`http://localhost:${port}`, `http://127.0.0.1:${operatorPort}`];
    const terminal = openTerminal({
      environment: surroundings({
        DATA_DIR: disk,
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        REDIS_URL: redis.url,
      }),
      replaced: { '.data/': `${disk}/`, 'http://127.0.0.1:3001': operator },
    });
    closeAfter(this, async () => {
      await terminal.close();
      await redis.close();
      spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    });
    if (mounted.status !== 0) return this.skip();
    await terminal.start('DEMO=0 npm start');
    await terminal.paste(readme.get('Post a pick')![0]!);
    await until(async () => (await asked('/api/cappers/ada/picks')).includes('Foxes -3.5'));
    expect(await post('games', { ...game, status: 'scheduled' })).to.equal(200);
  });

  async function asked(path: string): Promise<string> {
    const response = await fetch(site + path);
    expect(response.status, path).to.equal(200);
    return response.text();
  }

  async function post(path: string, row: object): Promise<number> {
    const response = await fetch(`${operator}/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${readFileSync(join(disk, 'operator-token'), 'utf8')}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(row),
    });
    if (response.status === 503)
      expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
    await response.arrayBuffer();
    return response.status;
  }

  let posts = 0;
  /** Posts prices, which take space. */
  function postPrices(): Promise<number> {
    posts += 1;
    const capturedAt = new Date(Date.now() - 60_000).toISOString();
    const price = { ...game, market: 'moneyline', side: 'home', capturedAt, oddsAmerican: -110 };
    return post(
      'lines',
      Array.from({ length: 1000 }, (_, at) => ({ ...price, book: `book ${posts} ${at}` })),
    );
  }

  function fill(): void {
    const file = openSync(join(disk, 'ballast'), 'a');
    try {
      for (const bytes of [1_048_576, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(bytes));
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).to.equal('ENOSPC');
        }
      }
    } finally {
      closeSync(file);
    }
  }

  it('keeps serving readers, answers posts with 503, and recovers without a restart', async () => {
    let reads = 0;
    /** Requests rendered answers, and answers that need PostgreSQL. */
    const read = () => {
      reads += 1;
      const unseen = [`/api/search?q=foxes${reads}`, `/api/cappers/ada/picks?limit=${reads}`];
      return Promise.all(['/', '/api/leaderboard', '/api/cappers/ada/picks', '/c/ada', ...unseen].map(asked));
    };
    await read();
    expect(await postPrices()).to.equal(200);
    fill();
    // PostgreSQL still has some space in its preallocated files.
    await until(async () => {
      const status = await postPrices();
      expect(status).to.be.oneOf([200, 503]);
      await read();
      return status === 503;
    });
    for (let round = 0; round < 10; round += 1) {
      await read();
      expect(await postPrices()).to.be.oneOf([200, 503]);
    }
    // The database becomes read-only. Whether that takes the reserve depends on how fast the disk filled up.
    const settings = join(disk, 'postgres', 'cluster', 'postgresql.auto.conf');
    await until(() => readFileSync(settings, 'utf8').includes('default_transaction_read_only'));
    await until(async () => (await postPrices()) === 503);
    for (let round = 0; round < 3; round += 1) {
      await read();
      expect(await postPrices()).to.equal(503);
    }
    rmSync(join(disk, 'ballast'));
    await until(async () => (await postPrices()) === 200);
    await read();
    await until(() => existsSync(join(disk, 'postgres', 'reserve')));
  });
});
