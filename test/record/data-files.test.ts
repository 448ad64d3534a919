import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { auditDataFiles } from '../../src/ledger/audit/derived.ts';
import { openSigner } from '../../src/ledger/publishing/identity.ts';
import { folderStorage } from '../../src/ledger/publishing/log-files/configured.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { unitsQuery } from '../../src/pages/data/page.ts';
import { iso } from '../../src/platform/clock.ts';
import { bodyHash } from '../../src/proof/bodies.ts';
import { openDataIndex, readDataIndex, signDataIndex } from '../../src/proof/data-index.ts';
import { writeDataFiles } from '../../src/record/data-files.ts';
import { testSigner } from '../proof/example-log.ts';
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
  /** The names that an earlier call added. */
  let early: string[];
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
    early = await writeDataFiles(database.database, settings(), log.now - 60 * 86_400_000);
    await sealAll(database.database);
    names = [...early, ...(await writeDataFiles(database.database, settings(), later))];
    await sealAll(database.database);
    await publishCheckpoint(database.database, log.publisher, later);
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

  it('have the tier under which each run of picks was posted', async () => {
    const rows = await parquetRows(path(of('cappers').at(-1)!));
    const posted: Any[] = await database
      .database('ledger_entries as e')
      .join('picks as p', 'p.id', 'e.pick_id')
      .where({ 'e.kind': 'posted' })
      .select('e.capper', 'e.capper_seq', 'p.tier');
    const key = (capper: string, number: number) => `${capper} ${number}`;
    const tiers = new Map(posted.map(({ capper, capper_seq, tier }) => [key(capper, capper_seq), tier]));
    const covered = rows.flatMap(({ capper, tier, first_pick, last_pick }) =>
      Array.from({ length: last_pick - first_pick + 1 }, (_, at) => [key(capper, first_pick + at), tier]),
    );
    expect(covered).to.have.deep.members([...tiers]);
    for (const [at, { capper, tier, until }] of rows.entries()) {
      const next = rows[at + 1]?.capper === capper ? rows[at + 1] : undefined;
      expect(until).to.equal(next?.since ?? null);
      expect(tier).to.not.equal(next?.tier);
    }
  });

  it('have indexes that are entries of the log, which an audit compares with the files', async () => {
    const entries: Any[] = await database
      .database('ledger_entries as e')
      .where({ kind: 'data' })
      .orderBy('seq')
      .select('seq', 'body', database.database.raw("encode(hash, 'hex') as hash"));
    const listed = entries.map(({ body }) =>
      readDataIndex(JSON.parse(body).note).files.map(({ name }) => name),
    );
    expect(listed).to.deep.equal([early, names]);
    const { seq, body, hash } = entries[1];
    expect(bodyHash('data', JSON.parse(body))).to.equal(hash);
    expect(JSON.parse(body).note).to.equal(readFileSync(path('index'), 'utf8'));
    const shown: Any = await (await get(`/ledger/body/${seq}`)).json();
    expect(shown).to.include({ seq, kind: 'data', hash });
    expect(shown.body).to.deep.equal(JSON.parse(body));
    const found = () => Array.fromAsync(auditDataFiles(database.database, files), ({ message }) => message);
    expect(await found()).to.deep.equal([]);
    const name = of('games')[0]!;
    const content = readFileSync(path(name));
    writeFileSync(path(name), Buffer.concat([content.subarray(0, -1), Buffer.from('X')]));
    expect(await found()).to.match(
      new RegExp(`^DATA_FILES, ${name}: its SHA-256 is [0-9a-f]{64}, but the log has`),
    );
    rmSync(path(name));
    expect(await found()).to.deep.equal([`DATA_FILES, ${name}: it is missing`]);
    writeFileSync(path(name), content);
  });

  it('have no index in the log that changes or leaves out a past month, or that the log did not sign', async () => {
    const copy = await database.owner.transaction();
    try {
      const { files: known } = readDataIndex(readFileSync(path('index'), 'utf8'));
      const changed = known.map((file, at) => (at === 0 ? { ...file, sha256: '0'.repeat(64) } : file));
      const signer = await openSigner(origin, log.publisher);
      const other = await testSigner(origin, 77);
      const at = iso(later);
      for (const [files, by] of [
        [changed, signer],
        [known.slice(1), signer],
        [known, other],
      ] as const)
        await copy('data_indexes').insert({ note: await signDataIndex({ origin, at, files }, by) });
      const aside: string[] = [];
      await sealAll(copy, { onSetAside: (events) => aside.push(...events.map(({ reason }) => reason)) });
      expect(aside).to.have.length(3);
      const past = `changes or leaves out ${known[0]!.name}, which an index before it lists`;
      expect(aside[0]).to.include(past);
      expect(aside[1]).to.include(past);
      expect(aside[2]).to.match(/signed/);
      const found = await Array.fromAsync(auditDataFiles(copy, undefined), ({ message }) => message);
      expect(found).to.deep.equal(aside);
      // The writer continues from the last index that the log has.
      expect(await writeDataFiles(copy, settings(), later)).to.deep.equal([]);
    } finally {
      await copy.rollback();
    }
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

  it('leave out the month that has not passed, and are the same bytes when another folder gets them', async () => {
    expect(early.length).to.be.greaterThan(0).and.below(names.length);
    const other = join(folder.path(), 'other');
    const elsewhere = { ...settings(), dataFiles: other, storage: undefined };
    expect(await writeDataFiles(database.database, elsewhere, later)).to.deep.equal([]);
    for (const name of [...names, 'index'])
      expect(readFileSync(join(other, name)).equals(readFileSync(path(name))), name).to.equal(true);
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
