import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folderStorage } from '../../src/ledger/publishing/log-files/folder.ts';
import { unitsQuery } from '../../src/pages/data/page.ts';
import { openDataIndex, readDataIndex } from '../../src/proof/data-index.ts';
import { writeDataFiles } from '../../src/record/data-files.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { duck, parquetRows } from '../support/duck.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { origin, type RichLog, richLog } from '../support/rich-log.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are what is being tested
type Any = any;

describe('the data files', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let log: RichLog;
  let site: RunningApi;
  let files: string;
  let names: string[];
  /** After the last month of the log. */
  let later: number;

  const settings = () => ({
    ...log.publisher,
    dataFiles: files,
    publishPrices: true,
    storage: folderStorage(join(folder.path(), 'log')),
  });

  before(async () => {
    log = await richLog(database.database, folder, 40);
    later = log.now + 40 * 86_400_000;
    files = join(folder.path(), 'files');
    names = await writeDataFiles(database.database, settings(), later);
    site = await startApi(
      { database, redis },
      { clock: { now: () => later }, settings: { DATA_FILES: files } },
    );
  });
  after(() => site.close());

  const path = (name: string) => join(files, name);
  const of = (kind: string) => names.filter((name) => name.startsWith(`${kind}-`));
  const rowsOf = async (kind: string) =>
    (await Promise.all(of(kind).map((name) => parquetRows(path(name))))).flat();
  const get = (url: string, init: RequestInit = {}) => fetch(`${site.address}${url}`, init);

  it('hold every settled pick once, with the fields of the export, in the month in which the log had it', async () => {
    expect(of('picks').length).to.be.greaterThan(1);
    const exported: Any[] = [];
    for (let after = 0; ; after = exported.at(-1).id) {
      const page: Any = await (await get(`/record/export.json?limit=5000&after_id=${after}`)).json();
      if (page.count === 0) break;
      exported.push(...page.picks);
    }
    const settled = exported.filter(({ result }) => result !== 'pending');
    const rows = await rowsOf('picks');
    expect(rows).to.have.length(settled.length);
    expect(rows.sort((a, b) => a.id - b.id)).to.deep.equal(
      settled.map((row) => ({ ...row, sport: row.sport.toLowerCase() })),
    );
  });

  it('hold the games and results of these picks, the cappers with their tiers, and the prices of the log', async () => {
    const picks = await rowsOf('picks');
    const games = await rowsOf('games');
    expect(new Set(games.map(({ game_id }) => game_id))).to.deep.equal(
      new Set(picks.map(({ game_id }) => game_id)),
    );
    const scored = games.find(({ status }) => status === 'final')!;
    const [stored] = await database.database('games').where({ id: scored.game_id });
    expect(scored).to.include({ sport: stored.sport, home_score: stored.home_score, game: stored.name });
    expect(Date.parse(scored.starts_at)).to.equal(Number(stored.starts_at));
    const stats = (await rowsOf('results')).filter(({ kind }) => kind === 'stat');
    for (const { game_id, subject, stat, value } of stats)
      expect(
        await database
          .database('stats')
          .where({ game_id, subject, stat, value_e3: Math.round(value * 1000) }),
      ).to.have.length(1);
    const cappers = await parquetRows(path(of('cappers').at(-1)!));
    expect(cappers.map(({ capper, tier }) => [capper, tier])).to.deep.equal(
      (
        await database
          .database('cappers')
          .whereExists(database.database('picks').whereRaw('picks.capper_id = cappers.id'))
          .orderBy('id')
      ).map(({ handle, tier }: Any) => [handle, tier]),
    );
    const prices = await rowsOf('prices');
    const [{ last }] = (await database.database('price_batches').max({ last: 'to_seq' })) as Any;
    expect(prices.map(({ price_seq }) => price_seq)).to.deep.equal(
      Array.from({ length: last }, (_, index) => index + 1),
    );
  });

  it('have a signed index with the hash of each, which /data/index serves', async () => {
    const note = await (await get('/data/index')).text();
    const index = await openDataIndex(note, origin, log.keys);
    expect(index.files.map(({ name }) => name)).to.deep.equal(names);
    for (const { name, sha256, bytes } of index.files) {
      const content = readFileSync(path(name));
      expect([createHash('sha256').update(content).digest('hex'), content.length]).to.deep.equal([
        sha256,
        bytes,
      ]);
      expect(readFileSync(join(folder.path(), 'log', 'data', name)).equals(content)).to.equal(true);
    }
    expect(readFileSync(join(folder.path(), 'log', 'data', 'index'), 'utf8')).to.equal(note);
    const forged = note.replace(index.files[0]!.sha256, 'f'.repeat(64));
    const refused = await openDataIndex(forged, origin, log.keys).catch((error: Error) => error.message);
    expect(refused).to.match(/signature .* is invalid/);
    const other = await openDataIndex(note, 'other.example/ledger', log.keys).catch(
      (error: Error) => error.message,
    );
    expect(other).to.match(/not signed/);
  });

  it('give the leaderboard by units with the page’s line for DuckDB', async () => {
    const page = await (await get('/data')).text();
    const urls = of('picks').map((name) => `https://picks.example/data/${name}`);
    const line = `duckdb -c "${unitsQuery(urls)}"`;
    expect(page.replaceAll('&#39;', "'").replaceAll('&quot;', '"')).to.include(line);
    const rows = await duck(unitsQuery(of('picks').map(path)));
    const { cappers }: Any = await (await get('/api/leaderboard/units?min_n=1&limit=200')).json();
    expect(rows.length).to.be.greaterThan(2);
    expect(rows.map(({ capper, units }) => [capper, units])).to.have.deep.members(
      cappers.map(({ handle, unitsNet }: Any) => [handle, unitsNet]),
    );
  });

  it('are immutable answers, also in ranges, and only if listed', async () => {
    const name = of('picks')[0]!;
    const content = readFileSync(path(name));
    const whole = await get(`/data/${name}`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).to.equal(true);
    expect(whole.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(whole.headers.get('content-length')).to.equal(String(content.length));
    const etag = whole.headers.get('etag')!;
    expect((await get(`/data/${name}`, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    expect((await get(`/data/${name}`, { method: 'HEAD' })).headers.get('content-length')).to.equal(
      String(content.length),
    );
    const part = async (range: string, headers: Record<string, string> = {}) => {
      const response = await get(`/data/${name}`, { headers: { Range: range, ...headers } });
      return {
        status: response.status,
        bytes: Buffer.from(await response.arrayBuffer()),
        range: response.headers.get('content-range'),
      };
    };
    const size = content.length;
    for (const [range, start, end] of [
      ['bytes=0-3', 0, 4],
      ['bytes=-8', size - 8, size],
      [`bytes=10-${size + 99}`, 10, size],
      [`bytes=${size - 1}-`, size - 1, size],
    ] as const) {
      const found = await part(range);
      expect([found.status, found.range]).to.deep.equal([206, `bytes ${start}-${end - 1}/${size}`]);
      expect(found.bytes.equals(content.subarray(start, end)), range).to.equal(true);
    }
    for (const range of ['bytes=0-1,4-5', 'bytes=9-3', 'lines=1-2', 'bytes=-'])
      expect((await part(range)).status, range).to.equal(200);
    expect((await part('bytes=0-3', { 'If-Range': '"other"' })).status).to.equal(200);
    expect((await part(`bytes=${size}-`)).status).to.equal(416);
    expect((await part('bytes=-0')).status).to.equal(416);
    for (const missing of ['picks-1999-01.parquet', 'index.new', '..%2f..%2fetc%2fpasswd', '%00'])
      expect((await get(`/data/${missing}`)).status, missing).to.be.oneOf([400, 404]);
  });

  it('are not written again, and a new month adds only its own', async () => {
    const before = readFileSync(path('index'), 'utf8');
    expect(await writeDataFiles(database.database, settings(), later)).to.deep.equal([]);
    expect(readFileSync(path('index'), 'utf8')).to.equal(before);
    expect(readdirSync(files).filter((name) => name.endsWith('.new'))).to.deep.equal([]);
  });

  it('are restored if they are lost, but never replaced by another content', async () => {
    const name = of('games')[0]!;
    const content = readFileSync(path(name));
    rmSync(path(name));
    expect((await get(`/data/${name}`)).status).to.equal(404);
    expect(await writeDataFiles(database.database, settings(), later)).to.deep.equal([]);
    expect(readFileSync(path(name)).equals(content)).to.equal(true);
    const first = of('picks')[0]!;
    const kept = readFileSync(path(first));
    rmSync(path(first));
    // Another address gives other links.
    const elsewhere = { ...settings(), baseUrl: 'https://other.example' };
    const error = await writeDataFiles(database.database, elsewhere, later).catch(
      (each: Error) => each.message,
    );
    expect(error).to.include(first).and.include('restore it');
    expect(existsSync(path(first))).to.equal(false);
    expect(await writeDataFiles(database.database, settings(), later)).to.deep.equal([]);
    expect(readFileSync(path(first)).equals(kept)).to.equal(true);
  });

  it('are the same bytes when another folder gets them, and leave out the month that has not passed', async () => {
    const other = join(folder.path(), 'other');
    const early = await writeDataFiles(
      database.database,
      { ...settings(), dataFiles: other, storage: undefined, publishPrices: false },
      log.now - 60 * 86_400_000,
    );
    expect(early.length).to.be.greaterThan(0).and.below(names.length);
    for (const name of early)
      expect(readFileSync(join(other, name)).equals(readFileSync(path(name))), name).to.equal(true);
    expect(
      readDataIndex(readFileSync(join(other, 'index'), 'utf8')).files.map(({ name }) => name),
    ).to.deep.equal(early);
    rmSync(other, { recursive: true });
    expect(existsSync(other)).to.equal(false);
  });

  it('are announced as missing by a service that writes none', async () => {
    const bare = await startApi({ database, redis });
    try {
      const page = await fetch(`${bare.address}/data`);
      expect(page.status).to.equal(200);
      expect(await page.text()).to.include('This service writes no data files.');
      expect((await fetch(`${bare.address}/data/index`)).status).to.equal(404);
      expect((await fetch(`${bare.address}/data/${names[0]}`)).status).to.equal(404);
    } finally {
      await bare.close();
    }
  });
});
