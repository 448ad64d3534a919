import { expect } from 'chai';
import { SaxesParser } from 'saxes';
import { request } from 'undici';
import { badgeSvg } from '../../src/cards/badge.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';
import { inked, readPng } from './png.ts';

/** The morning of a day with games: some picks have settled, others wait. */
const morning = Date.parse('2024-10-06T14:00:00Z');
const later = Date.parse('2025-01-01T00:00:00Z');

describe('a card over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  let now = morning;
  let site: RunningApi;
  let uuid: string;

  before(async () => {
    await ingest(database.database, league, morning);
    await runPipeline(database.database, morning);
    site = await startApi({ database, redis }, { clock: { now: () => now } });
    const row = await database
      .database('board_picks')
      .whereNull('result')
      .orderBy('uuid')
      .first<{ uuid: string }>('uuid');
    uuid = row.uuid;
  });
  after(() => site.close());

  const get = async (path: string, headers: Record<string, string> = {}, address = site.address) => {
    const { statusCode, headers: got, body } = await request(address + path, { headers });
    return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  type Got = Awaited<ReturnType<typeof get>>;
  /** Waits for a different answer: while a card is drawn, requests get the previous one. */
  const getOther = async (path: string, before: Got): Promise<Got> => {
    let got = before;
    await until(async () => {
      got = await get(path);
      return got.headers.etag !== before.headers.etag;
    });
    return got;
  };

  it('is a picture that any site may embed and every cache may keep', async () => {
    const { status, headers, bytes } = await get(`/p/${uuid}/card.png`);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('image/png');
    expect(headers['content-length']).to.equal(String(bytes.length));
    expect(headers['cache-control']).to.match(/^public, max-age=300/);
    expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
    const picture = readPng(bytes);
    expect(picture).to.include({ width: 1200, height: 630 });
    expect(inked(picture)).to.be.above(0.03);
  });

  it('is conditional on its ETag, has no body for HEAD, and is found by a UUID in upper case', async () => {
    const { headers, bytes } = await get(`/p/${uuid}/card.png`);
    const unchanged = await get(`/p/${uuid}/card.png`, { 'If-None-Match': String(headers.etag) });
    expect(unchanged.status).to.equal(304);
    expect(unchanged.bytes).to.have.length(0);
    expect((await get(`/p/${uuid.toUpperCase()}/card.png`)).bytes.equals(bytes)).to.equal(true);
    const head = await request(`${site.address}/p/${uuid}/card.png`, { method: 'HEAD' });
    expect(head.statusCode).to.equal(200);
    expect(head.headers.etag).to.equal(headers.etag);
    await head.body.dump();
  });

  for (const name of ['0f8fad5b-d9cb-469f-a165-70867728950e', 'nonsense', '%00'])
    it(`is a 404 problem for /p/${name}/card.png`, async () => {
      const { status, headers } = await get(`/p/${name}/card.png`);
      expect(status).to.equal(404);
      expect(headers['content-type']).to.equal('application/problem+json');
      expect(headers).not.to.have.property('etag');
    });

  it('is the preview image of the pages of a pick and of the Pick of the Day', async () => {
    for (const page of [`/p/${uuid}`, '/pod']) {
      const [, image] =
        /<meta property="og:image" content="https:\/\/picks\.example([^"]+)">/.exec(
          (await get(page)).bytes.toString(),
        ) ?? [];
      expect(image).to.match(/^\/.*card\.png/);
      expect((await get(image as string)).headers['content-type']).to.equal('image/png');
    }
  });

  it('says that no Pick of the Day is chosen, then shows the chosen one', async () => {
    const none = await get('/pod/card.png');
    expect(none.status).to.equal(200);
    expect(await choosePickOfTheDay(database.database, morning)).to.equal(true);
    await site.cache.renewEpoch();
    const chosen = await getOther('/pod/card.png', none);
    expect(chosen.status).to.equal(200);
    const { body } = await request(`${site.address}/api/pod`);
    const { pick } = (await body.json()) as { pick: { pickUuid: string } };
    const own = await get(`/p/${pick.pickUuid}/card.png`);
    expect(own.headers.etag).not.to.equal(chosen.headers.etag);
  });

  it('is not drawn again when only the boards changed', async () => {
    const path = `/p/${uuid}/card.png`;
    const drawn = () => site.cache.memory.any(`${path}?odds=american`);
    const { headers } = await get(path);
    const before = drawn();
    await site.cache.renewEpoch();
    await until(async () => (await get(path)) && drawn() !== before);
    expect(drawn()?.etag).to.equal(headers.etag);
    expect(drawn()?.body).to.equal(before?.body);
  });

  it('is another picture once the pick has settled', async () => {
    const open = await get(`/p/${uuid}/card.png`);
    await ingest(database.database, league, later);
    await runPipeline(database.database, later);
    await site.cache.renewEpoch();
    now = later;
    await getOther(`/p/${uuid}/card.png`, open);
    const closed = await get(`/p/${uuid}/card.png`, { 'If-None-Match': String(open.headers.etag) });
    expect(closed.status).to.equal(200);
    expect(closed.bytes.equals(open.bytes)).to.equal(false);
  });

  it('is a 503 while PostgreSQL is unreachable and nothing is cached', async () => {
    await redis.redis.flushdb();
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    const other = await startApi(
      { database, redis },
      { clock: { now: () => now }, database: dead, availability },
    );
    try {
      const { status, headers } = await get(`/p/${uuid}/card.png`, {}, other.address);
      expect(status).to.equal(503);
      expect(headers['retry-after']).to.equal('5');
    } finally {
      await other.close();
      await dead.destroy();
    }
  });
});

describe('a badge over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;

  before(async () => {
    await ingest(database.database, league, later);
    await runPipeline(database.database, later);
    site = await startApi({ database, redis }, { clock: { now: () => later } });
  });
  after(() => site.close());

  const badge = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${site.address}${path}`, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const parsed = (text: string) => {
    const texts: string[] = [];
    let within = '';
    let title = '';
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => {
      within = name;
    });
    parser.on('text', (text) => {
      if (within === 'title') title += text;
      else if (within === 'text') texts.push(text);
      within = '';
    });
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(text).close();
    return { title, texts };
  };

  it('says the verdict on a capper and on a pick, in its title too', async () => {
    const [handle] = await database.database('cappers').orderBy('id').pluck('handle');
    const stats = await fetch(`${site.address}/api/cappers/${handle}/stats`);
    const { verdict } = (await stats.json()) as { verdict: { word: string; sentence: string } };
    const ofCapper = await badge(`/badge/c/${handle}.svg`);
    expect(ofCapper.status).to.equal(200);
    const { title, texts } = parsed(ofCapper.text);
    expect(texts).to.deep.equal([`${handle} on Public Picks`, verdict.word]);
    expect(title).to.include(verdict.sentence);
    const [uuid] = await database.database('picks').orderBy('id').pluck('uuid');
    const ofPick = parsed((await badge(`/badge/p/${uuid}.svg`)).text);
    expect(ofPick.texts[1]).to.match(/^[a-z ]+, claimed$/);
    expect(ofPick.title).to.match(
      /In the log: .*\. Before the start: Claimed\. Price: Claimed\. Posted by: An import\./,
    );
  });

  it('is cached like a board, embeddable anywhere, and escapes names', async () => {
    const [handle] = await database.database('cappers').orderBy('id').pluck('handle');
    const first = await badge(`/badge/c/${handle}.svg`);
    expect(first.headers.get('content-type')).to.match(/^image\/svg\+xml/);
    expect(first.headers.get('cache-control')).to.match(/^public, max-age=300/);
    expect(first.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    expect(
      (await badge(`/badge/c/${handle}.svg`, { 'If-None-Match': first.headers.get('etag')! })).status,
    ).to.equal(304);
    for (const path of [
      '/badge/c/nobody.svg',
      '/badge/c/%3Cb%3E.svg',
      '/badge/p/0f8fad5b-d9cb-469f-a165-70867728950e.svg',
    ])
      expect((await badge(path)).status).to.equal(404);
    const hostile = badgeSvg({
      subject: '<script>&"\'',
      finding: '東京 & ]]>',
      tone: 'good',
      title: '</title><script>alert(1)</script>',
    });
    expect(parsed(hostile)).to.deep.equal({
      title: '</title><script>alert(1)</script>',
      texts: ['<script>&"\'', '東京 & ]]>'],
    });
  });
});
