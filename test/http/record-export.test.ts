import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { all, textOf } from '../boards/formats/read-xml.ts';
import { expectRss } from '../boards/formats/rss-rules.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { codePoint } from '../support/code-point.ts';
import { withDatabase } from '../support/database.ts';
import { duck, parquetRows } from '../support/duck.ts';
import { withFolder } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { withServedLeague } from '../support/served-league.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const golden = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '..', 'fixtures', 'record-export', name), 'utf8');

describe('/record/export', () => {
  const served = withServedLeague(now);
  const folder = withFolder();

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${served.site.address}${path}`, { headers: { 'Accept-Encoding': 'identity', ...headers } });
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  const json = async (path: string): Promise<any> => (await get(path)).json();

  it('keeps version 1 of the JSON byte for byte', async () => {
    expect(await (await get('/record/export.json')).text()).to.equal(golden('v1.json'));
  });

  it('keeps version 1 of the CSV byte for byte', async () => {
    expect(await (await get('/record/export.csv')).text()).to.equal(golden('v1.csv'));
  });

  it('sends the headers of the interface', async () => {
    for (const [path, type] of [
      ['export.json', 'application/json'],
      ['export.csv', 'text/csv'],
      ['export.parquet', 'application/vnd.apache.parquet'],
      ['rss.xml', 'application/rss\\+xml'],
    ]) {
      const { status, headers } = await get(`/record/${path}`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(new RegExp(`^${type}`));
      expect(headers.get('cache-control')).to.equal('public, s-maxage=900, stale-while-revalidate=3600');
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('x-robots-tag')).to.equal('noindex');
    }
  });

  it('names the tags of the record from its first answer on', async () => {
    const { headers } = await get('/record/export.csv?limit=4321');
    expect(headers.get('cache-tag')?.split(',')).to.include.members(['posted', 'closed', 'settled']);
  });

  it('conforms to the schema that it names', async () => {
    const body = await json('/record/export.json');
    expect(body.schema).to.equal('https://picks.example/record/export.schema.json');
    const ajv = new Ajv2020({ strict: false });
    (formats as unknown as typeof formats.default)(ajv);
    const validate = ajv.compile((await json('/record/export.schema.json')) as object);
    expect(validate(body), JSON.stringify(validate.errors)).to.equal(true);
  });

  it('has the rows of JSON in Parquet, with types that DuckDB knows', async () => {
    for (const query of ['', '?limit=3', '?since=2024-10-05', '?after_id=3&sport=nba', '?sport=curling']) {
      const file = folder.write('export.parquet', []);
      const response = await get(`/record/export.parquet${query}`, { 'Accept-Encoding': 'br' });
      expect(response.headers.get('content-encoding')).to.equal(null);
      writeFileSync(file, Buffer.from(await response.arrayBuffer()));
      const { picks } = await json(`/record/export.json${query}`);
      expect(await parquetRows(file), query).to.deep.equal(
        picks.map((row: { sport: string }) => ({ ...row, sport: row.sport.toLowerCase() })),
      );
    }
    const described = await duck(`describe select * from '${folder.path()}/export.parquet'`);
    const types = Object.fromEntries(described.map((row) => [row.column_name, row.column_type]));
    expect(types).to.include({ id: 'BIGINT', posted_at: 'TIMESTAMP WITH TIME ZONE', stake_units: 'DOUBLE' });
    expect(types).to.include({ half: 'BOOLEAN', odds_american: 'INTEGER', uuid: 'VARCHAR' });
  });

  it('filters by capper in every format, under both names, and gives no rows for an unknown one', async () => {
    const all = (await json('/record/export.json')).picks;
    const { capper } = all[0];
    const rowsOf = (query: string) =>
      all.filter(
        (row: { capper: string; sport: string }) =>
          row.capper === capper && (!query.includes('nfl') || row.sport === 'NFL'),
      );
    for (const query of ['', '&sport=nfl', '&limit=1'])
      expect(
        (await json(`/record/export.json?capper=${capper.toUpperCase()}${query}`)).picks,
        query,
      ).to.deep.equal(rowsOf(query).slice(0, query.includes('limit') ? 1 : undefined));
    const forward = await json(`/record/export.json?capper_handle=${capper}&after_id=0`);
    expect(forward.picks).to.have.deep.members(rowsOf(''));
    const csv = await (await get(`/record/export.csv?capper=${capper}`)).text();
    expect(csv.trimEnd().split('\r\n')).to.have.length(rowsOf('').length + 1);
    for (const nobody of ['nobody', '%00', "x'%20or%20true"])
      expect(await json(`/record/export.json?capper=${nobody}`)).to.include({ count: 0, db_reachable: true });
  });

  it('filters by sport in any case, and gives no rows for an unknown one', async () => {
    const nba = await json('/record/export.json?sport=NBA');
    expect(nba.filters).to.deep.equal({ since: null, sport: 'nba', limit: 1000 });
    expect(nba.picks.map(({ sport }: { sport: string }) => sport)).to.deep.equal([
      'NBA',
      'NBA',
      'NBA',
      'NBA',
    ]);
    expect(await json('/record/export.json?sport=curling')).to.include({ count: 0, db_reachable: true });
  });

  it('takes a date or an instant as an inclusive `since`, and then sorts oldest first', async () => {
    const all = await json('/record/export.json?since=2024-10-05');
    expect(all.filters.since).to.equal('2024-10-05T00:00:00.000Z');
    const ids = all.picks.map(({ id }: { id: number }) => id);
    expect(ids).to.deep.equal([...ids].sort((a, b) => a - b));
    const from = await json('/record/export.json?since=2024-11-30T20:05:00Z');
    expect(from.picks.map(({ pick }: { pick: string }) => pick)).to.deep.equal(['Otters']);
    expect((await json('/record/export.json?since=2024-11-30T20:05:00.001Z')).count).to.equal(0);
  });

  it('pages through everything by `after_id` without loss', async () => {
    const seen: number[] = [];
    for (let after = 0; ; ) {
      const page = await json(`/record/export.json?limit=5&after_id=${after}`);
      if (page.count === 0) break;
      seen.push(...page.picks.map(({ id }: { id: number }) => id));
      after = seen.at(-1) ?? 0;
    }
    expect(seen).to.deep.equal(Array.from({ length: 16 }, (_, index) => index + 1));
  });

  it('falls back to defaults and clamps, and reports the effective parameters', async () => {
    const effective = async (query: string) => (await json(`/record/export.json?${query}`)).filters;
    expect(await effective('limit=99999')).to.include({ limit: 5000 });
    for (const bad of ['0', '-3', 'many', '', '1.5'])
      expect(await effective(`limit=${bad}`)).to.include({ limit: 1000 });
    for (const bad of ['yesterday', '2026-02-30', '2026-13-01', '%00'])
      expect(await effective(`since=${bad}`)).to.include({ since: null });
  });

  it('names ignored parameters in a header, and takes the first of repeated ones', async () => {
    for (const path of ['export.json', 'export.csv', 'rss.xml']) {
      const ignored = async (query: string) =>
        (await get(`/record/${path}?${query}`)).headers.get('x-ignored-parameters');
      expect(await ignored('since=2024-10-05&sport=nfl&limit=99999&after_id=0')).to.equal(null);
      expect(await ignored('since=&limit=&x=1&x=2')).to.equal(null);
      expect(await ignored('limit=0&since=yesterday&after_id=-1')).to.equal('since, limit, after_id');
      expect(await ignored('limit=3&limit=4&sport=nba&sport=nba')).to.equal('sport, limit');
    }
    const { filters } = await json('/record/export.json?limit=3&limit=4&sport=nba&sport=nfl');
    expect(filters).to.deep.equal({ since: null, sport: 'nba', limit: 3 });
  });

  it('accepts every form of an instant as `since`, even with a space instead of a plus', async () => {
    for (const text of [
      '2024-10-05T02:00:00+02:00',
      '2024-10-05T02%2B02',
      '20241005T00Z',
      '2024-W40-6',
      '2024-279',
    ])
      expect((await json(`/record/export.json?since=${text}`)).filters.since, text).to.equal(
        '2024-10-05T00:00:00.000Z',
      );
    for (const text of ['0000', '9999-12-31T23:59:59Z'])
      expect(await json(`/record/export.json?since=${text}`)).to.include({ db_reachable: true });
  });

  it('filters the feed like the exports, the latest settled first', async () => {
    const ids = async (query: string) => {
      const { channel, items } = expectRss(await (await get(`/record/rss.xml?${query}`)).text());
      const links = items.map((item) => Number(textOf(item, 'link').split('/').at(-1)));
      return { links, self: all(channel, 'atom:link')[0]?.attributes.href };
    };
    const everything = await ids('limit=5000');
    expect(everything.self).to.equal('https://picks.example/record/rss.xml');
    const { picks } = await json('/record/export.json?limit=5000');
    type Row = { id: number; sport: string; capper: string; posted_at: string; graded_at: string | null };
    const settled = (picks as Row[])
      .filter((row) => row.graded_at !== null)
      .sort((a, b) => (a.graded_at! < b.graded_at! ? 1 : -1));
    expect([...everything.links].sort()).to.deep.equal(settled.map(({ id }) => id).sort());
    const times = everything.links.map((id) => settled.find((row) => row.id === id)?.graded_at);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect((await ids('limit=2')).links).to.deep.equal(everything.links.slice(0, 2));
    const nba = settled.filter(({ sport }) => sport === 'NBA').map(({ id }) => id);
    expect((await ids('sport=NBA')).links).to.have.members(nba);
    const since = settled.filter(({ posted_at }) => posted_at >= '2024-11-01').map(({ id }) => id);
    expect((await ids('since=2024-11')).links).to.have.members(since);
    expect((await ids('since=2024-11&sport=nba')).self).to.equal(
      'https://picks.example/record/rss.xml?since=2024-11-01T00%3A00%3A00.000Z&sport=nba',
    );
    expect((await ids('sport=curling')).links).to.deep.equal([]);
    const [{ capper }] = picks;
    const own = settled.filter((row) => row.capper === capper).map(({ id }) => id);
    expect(own.length).to.be.greaterThan(0).and.below(settled.length);
    expect((await ids(`capper=${capper}`)).links).to.deep.equal(
      everything.links.filter((id) => own.includes(id)),
    );
    const both = await ids(`capper=${capper.toUpperCase()}&sport=nba&limit=2`);
    expect(both.links).to.deep.equal(
      everything.links.filter((id) => own.includes(id) && nba.includes(id)).slice(0, 2),
    );
    expect(both.self).to.equal(`https://picks.example/record/rss.xml?capper=${capper}&limit=2&sport=nba`);
    expect((await ids('capper=nobody')).links).to.deep.equal([]);
  });

  it("writes the prices of the feed in the requested format, and keeps it in the feed's address", async () => {
    const titles = async (query: string) => {
      const answer = await get(`/record/rss.xml${query}`);
      const { channel, items } = expectRss(await answer.text());
      expect(all(channel, 'atom:link')[0]?.attributes.href).to.equal(
        `https://picks.example/record/rss.xml${query}`,
      );
      return items.map((item) => textOf(item, 'title'));
    };
    const [american, decimal] = [await titles(''), await titles('?odds=decimal')];
    expect(american).to.have.lengthOf(decimal.length).above(0);
    for (const title of american) expect(title).to.match(/\([+−]\d+\)/u);
    for (const title of decimal) expect(title).to.match(/\(\d+\.\d\d\)/);
    // Once more, now that both are cached.
    expect(await titles('')).to.deep.equal(american);
    const { headers } = await get('/record/rss.xml?odds=hongkong');
    expect(headers.get('x-ignored-parameters')).to.equal('odds');
  });

  it('gives no rows for a sport with an invalid name', async () => {
    for (const sport of ['%00', '%ED%A0%80', 'a%07b'])
      expect(await json(`/record/export.json?sport=${sport}`)).to.include({ count: 0, db_reachable: true });
  });

  it('always answers 200, whatever the query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('export.json', 'export.csv', 'rss.xml'),
        fc.dictionary(
          fc.constantFrom('since', 'sport', 'limit', 'after_id', 'x'),
          fc.string({ unit: codePoint }),
        ),
        async (path, query) => {
          const response = await get(`/record/${path}?${new URLSearchParams(query)}`);
          await response.arrayBuffer();
          expect(response.status).to.equal(200);
        },
      ),
      { numRuns: 300, examples: [['export.json', { sport: '\u0000' }]] },
    );
  });

  it('answers 304 to its own entity tag, and compresses', async () => {
    const first = await get('/record/export.json');
    const etag = first.headers.get('etag') ?? '';
    expect((await get('/record/export.json', { 'If-None-Match': etag })).status).to.equal(304);
    const plain = await first.text();
    const response = await new Promise<Buffer>((settle, fail) => {
      import('node:http').then(({ get: raw }) =>
        raw(`${served.site.address}/record/export.json`, { headers: { 'Accept-Encoding': 'br' } }, (res) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk) => chunks.push(chunk)).on('end', () => settle(Buffer.concat(chunks)));
        }).on('error', fail),
      );
    });
    expect(brotliDecompressSync(response).toString()).to.equal(plain);
  });

  it('shows a new pick as pending with empty cells, and defuses formulas but not numbers', async () => {
    const row = {
      capperHandle: 'ada',
      sport: 'nfl',
      game: '=HYPERLINK("x") @ Home, "quoted"',
      startsAt: '2025-02-01T18:00:00Z',
    };
    const files = [
      folder.write('games.ndjson', [{ ...row, status: 'scheduled' }]),
      folder.write('picks.ndjson', [
        {
          ...row,
          market: 'total',
          side: 'over',
          line: 40,
          pick: '@SUM(1)',
          oddsAmerican: -115,
          stakeUnits: 0.07,
          postedAt: '2024-12-31T00:00:00Z',
        },
      ]),
    ];
    await ingest(served.database.database, files, now);
    await runPipeline(served.database.database, now);
    const text = await (await get('/record/export.csv?limit=1')).text();
    expect(text.split('\r\n')[1]).to.match(
      /^17,nfl,"'=HYPERLINK\(""x""\) @ Home, ""quoted""",total,'@SUM\(1\),-115,,,0\.07,pending,2024-12-31T00:00:00\.000Z,,https:\/\/picks\.example\/record\/17,[0-9a-f-]{36},ada,elite,,over,40,2025-02-01T18:00:00\.000Z,,imported,false,,,,,false,,,,,\d+$/,
    );
    const [pick] = (await json('/record/export.json?limit=1')).picks;
    expect(pick).to.include({
      result: 'pending',
      graded_at: null,
      closing_odds: null,
      clv_bps: null,
      pick: '@SUM(1)',
    });
  });
});

describe('/record/export while PostgreSQL is unreachable', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  const dead = () => openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
  let away: ReturnType<typeof dead>;

  before(async () => {
    away = dead();
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    site = await startApi({ database, redis }, { clock: { now: () => now }, database: away, availability });
  });
  after(async () => {
    await site.close();
    await away.destroy();
  });

  it('answers 200 at once, with everything but rows', async () => {
    const response = await fetch(`${site.address}/record/export.json?sport=nfl&limit=7`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const body = (await response.json()) as object;
    expect(body).to.deep.include({ db_reachable: false, picks: [], count: 0, row_cap: 5000 });
    expect(body).to.deep.include({ filters: { since: null, sport: 'nfl', limit: 7 } });
    expect(body).to.include.keys('schema', 'generated_at', 'contract');
  });

  it('puts a comment row after the header row of the CSV', async () => {
    const lines = (await (await fetch(`${site.address}/record/export.csv`)).text()).split('\r\n');
    expect(lines).to.have.length(3);
    expect(lines[0]).to.match(/^id,sport,game,/);
    expect(lines[1]).to.match(/^# /);
    expect(lines[2]).to.equal('');
  });

  it('answers with an empty feed that nobody may cache', async () => {
    const response = await fetch(`${site.address}/record/rss.xml?sport=nfl&limit=-1`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('x-robots-tag')).to.equal('noindex');
    const { channel, items } = expectRss(await response.text());
    expect(items).to.deep.equal([]);
    expect(textOf(channel, 'description')).to.match(/^The ledger cannot be read right now/);
  });
});
