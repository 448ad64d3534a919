import { expect } from 'chai';
import { Agent, type Dispatcher, getGlobalDispatcher, request } from 'undici';
import { viewerAssets } from '../../src/pages/docs/viewer.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { declaredRoutes } from '../support/declared-routes.ts';
import { exampleValues, filled, urlOf } from '../support/examples.ts';
import { withFolder } from '../support/folders.ts';
import { atLength } from '../support/long.ts';
import { withRedis } from '../support/redis.ts';
import { richLog } from '../support/rich-log.ts';

/** Headers that differ for every request, connection, or process. */
const passing = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'x-response-time']);

/** Paths that are computed for each request and may change between two. */
const volatile = ['/api/version', '/api/status', '/ops', '/readyz'];

/** Routes that the fast path never answers: computed for each request, without an entity tag, or tied to the newest checkpoint. */
const neverFast = [
  ...volatile,
  ...['/.well-known/security.txt', '/robots.txt', '/livez', '/oembed', '/record/export.schema.json'],
  ...['/ledger/key', '/ledger/proof/:seq', '/ledger/prices/:seq', '/sitemap.xml', '/sitemap/:file'],
  ...['/embed/capper/:handle/widget.js', '/api/webhooks', '/api/webhooks/:id/attempts', '/llms.txt'],
  ...['/api/push', '/api/push/:id', '/data', '/data/index', '/data/:name'],
  ...['/api/search', '/search', '/api/bets', '/api/cappers/:handle/keys', '/api/cappers/:handle/profile'],
];

const codings = [undefined, 'gzip', 'br'];

describe('the bytes of the fast path', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let behind: RunningApi;
  let fast: RunningApi;
  let off: RunningApi;
  /** URLs with the path of their route. */
  let urls: [path: string, url: string][];

  before(async () => {
    const log = await richLog(database.database, folder, 60);
    const options = { clock: { now: () => log.now } };
    behind = await startApi({ database, redis }, { ...options, memory: false });
    fast = await startApi({ database, redis }, options);
    off = await startApi({ database, redis }, { ...options, settings: { FAST_PATH: '0' } });
    const facts = await exampleValues(database.database);
    const { id } = await database
      .database('board_picks')
      .where({ uuid: facts.uuid })
      .first({ id: 'pick_id' });
    const more: Record<string, string> = { ...facts, id: String(id), file: 'pages.xml' };
    urls = [
      ...declaredRoutes()
        // An event stream does not end.
        .filter(({ method, path }) => method === 'GET' && path !== '/api/stream')
        // The games of this log name no teams, and no pick is on a player.
        .filter(({ path }) => !/\/(?:player|team)s?\/:sport/.test(path))
        .map(({ path, reference }): [string, string] => {
          const example = filled({ ...reference?.examples?.[0] }, facts);
          const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, more[name] ?? name]);
          return [path, urlOf({ path }, { ...Object.fromEntries(inPath), ...example })];
        }),
      ['/game/:id', '/game/1'],
      ['/assets/viewer/:file', viewerAssets().style.path],
      ['/ledger/consistency', '/ledger/consistency?from=1&to=2'],
      ['/ledger/tile/:level/*index', '/ledger/tile/0/000'],
      ['/ledger/tile/entries/*index', '/ledger/tile/entries/000'],
      ['/record/export.csv', '/record/export.csv?sport=nba&limit=3&odd=1'],
    ];
  });
  after(async () => {
    await behind?.close();
    await fast?.close();
    await off?.close();
  });

  async function ask(
    api: RunningApi,
    url: string,
    method: string,
    headers: Record<string, string> = {},
    dispatcher: Dispatcher = getGlobalDispatcher(),
  ) {
    const before = api.api.answeredFromMemory();
    const response = await request(api.address + url, { method: method as 'GET', headers, dispatcher });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const lasting = Object.entries(response.headers).filter(([name]) => !passing.has(name));
    return {
      isFast: api.api.answeredFromMemory() > before,
      etag: response.headers.etag,
      answer: { status: response.statusCode, headers: Object.fromEntries(lasting), bytes },
    };
  }

  it('equal those of Koa for every route, method, coding, and condition', async () => {
    const seen = new Set<string>();
    for (const [number, [path, url]] of urls.entries()) {
      // The first answer is rendered, the second one read. Exports are cached from the second on.
      for (let time = 0; time < 2; time += 1) await ask(behind, url, 'GET');
      const same = async (method: string, headers: Record<string, string>) => {
        const [theirs, ours] = [
          await ask(behind, url, method, headers),
          await ask(fast, url, method, headers),
        ];
        if (!volatile.includes(path))
          expect(ours.answer, `${method} ${url} ${JSON.stringify(headers)}`).to.deep.equal(theirs.answer);
        expect(theirs.isFast).to.equal(false);
        if (ours.isFast) seen.add(path);
      };
      for (const [row, coding] of codings.entries()) {
        if (atLength((number + row) % codings.length > 0, false)) continue;
        const headers: Record<string, string> = coding === undefined ? {} : { 'Accept-Encoding': coding };
        await ask(fast, url, 'GET', headers);
        const { etag } = await ask(fast, url, 'GET', headers);
        // GET and HEAD alternate: each route gets every pair of method, coding, and condition, and neighbors together get all triples.
        for (const [column, condition] of [undefined, 'W/"other"', `"other", ${etag}`].entries())
          await same((number + row + column) % 2 === 0 ? 'GET' : 'HEAD', {
            ...headers,
            ...(condition === undefined ? {} : { 'If-None-Match': condition }),
          });
      }
      for (const method of ['OPTIONS', 'PUT']) await same(method, {});
    }
    const unseen = urls.map(([path]) => path).filter((path) => !seen.has(path));
    expect([...new Set(unseen)].sort()).to.deep.equal(neverFast.toSorted());
  });

  it('equal those of FAST_PATH=0, when Node parses every request', async () => {
    const parsed = new Map<RunningApi, number>();
    for (const api of [fast, off])
      api.server.on('request', () => parsed.set(api, (parsed.get(api) ?? 0) + 1));
    const headers = { 'Accept-Encoding': 'br' };
    // After an unusual request, such as those of the previous test, Node keeps the rest of a connection.
    const connections = new Agent();
    const get = (api: RunningApi, url: string) => ask(api, url, 'GET', headers, connections);
    let asked = 0;
    for (const [path, url] of urls) {
      if (volatile.includes(path)) continue;
      // Rendered here first: a first answer is compressed quickly, and answers read from Redis are compressed well.
      await ask(behind, url, 'GET');
      for (let time = 0; time < 3; time += 1) {
        const [on, without] = [await get(fast, url), await get(off, url)];
        asked += 1;
        // An export is cached from its second request on.
        if (time === 2) expect(without.answer, url).to.deep.equal(on.answer);
      }
    }
    await connections.close();
    expect(parsed.get(off)).to.equal(asked);
    expect(parsed.get(fast)).to.be.within(1, asked / 2);
  });
});
