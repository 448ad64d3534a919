import { expect } from 'chai';
import { request } from 'undici';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { declaredRoutes } from '../support/declared-routes.ts';
import { exampleFacts, filled, urlOf } from '../support/examples.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { richLog } from '../support/rich-log.ts';

/** Another one for every request, connection or process. */
const passing = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'x-response-time']);

/** What is read at each request and may differ from the one before. */
const volatile = ['/api/version', '/api/status', '/ops', '/readyz'];

/** What the front never gives: what is made for each request, has no entity tag, or follows the newest checkpoint. */
const neverInFront = [
  ...volatile,
  ...['/.well-known/security.txt', '/robots.txt', '/livez', '/oembed', '/record/export.schema.json'],
  ...['/ledger/key', '/ledger/proof/:seq', '/sitemap.xml', '/sitemap/:file'],
  ...['/embed/capper/:handle/widget.js', '/api/webhooks', '/api/webhooks/:id/attempts'],
  ...['/api/search', '/search'],
];

const codings = [undefined, 'gzip', 'br'];

describe('the front and what is behind it', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let behind: RunningApi;
  let front: RunningApi;
  /** By the path of their route. */
  let urls: [path: string, url: string][];

  before(async () => {
    const log = await richLog(database.database, folder, 60);
    const options = { clock: { now: () => log.now } };
    behind = await startApi({ database, redis }, { ...options, memory: false });
    front = await startApi({ database, redis }, options);
    const facts = await exampleFacts(database.database);
    const { id } = await database
      .database('board_picks')
      .where({ uuid: facts.uuid })
      .first({ id: 'pick_id' });
    const more: Record<string, string> = { ...facts, id: String(id), module: 'tree.ts', file: 'pages.xml' };
    urls = [
      ...declaredRoutes()
        // An event stream does not end.
        .filter(({ method, path }) => method === 'GET' && path !== '/api/stream')
        .map(({ path, reference }): [string, string] => {
          const example = filled({ ...reference?.examples?.[0] }, facts);
          const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, more[name] ?? name]);
          return [path, urlOf({ path }, { ...Object.fromEntries(inPath), ...example })];
        }),
      ['/game/:id', '/game/1'],
      ['/ledger/consistency', '/ledger/consistency?from=1&to=2'],
      ['/ledger/tile/:level/*index', '/ledger/tile/0/000'],
      ['/ledger/tile/entries/*index', '/ledger/tile/entries/000'],
      ['/record/export.csv', '/record/export.csv?sport=nba&limit=3&odd=1'],
    ];
  });
  after(async () => {
    await behind?.close();
    await front?.close();
  });

  async function ask(api: RunningApi, url: string, method: string, headers: Record<string, string> = {}) {
    const before = api.api.answeredFromMemory();
    const response = await request(api.address + url, { method: method as 'GET', headers });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const lasting = Object.entries(response.headers).filter(([name]) => !passing.has(name));
    return {
      inFront: api.api.answeredFromMemory() > before,
      etag: response.headers.etag,
      answer: { status: response.statusCode, headers: Object.fromEntries(lasting), bytes },
    };
  }

  it('give the same bytes and headers for every route, method, coding and condition', async () => {
    const seen = new Set<string>();
    for (const [number, [path, url]] of urls.entries()) {
      // The first answer is rendered, the second one read; exports are kept from the second on.
      for (let time = 0; time < 2; time += 1) await ask(behind, url, 'GET');
      const same = async (method: string, headers: Record<string, string>) => {
        const [theirs, ours] = [
          await ask(behind, url, method, headers),
          await ask(front, url, method, headers),
        ];
        if (!volatile.includes(path))
          expect(ours.answer, `${method} ${url} ${JSON.stringify(headers)}`).to.deep.equal(theirs.answer);
        expect(theirs.inFront).to.equal(false);
        if (ours.inFront) seen.add(path);
      };
      for (const [row, coding] of codings.entries()) {
        const headers: Record<string, string> = coding === undefined ? {} : { 'Accept-Encoding': coding };
        await ask(front, url, 'GET', headers);
        const { etag } = await ask(front, url, 'GET', headers);
        // GET and HEAD in turn: each route has every pair of method, coding and condition, and neighbours have all triples.
        for (const [column, condition] of [undefined, 'W/"other"', `"other", ${etag}`].entries())
          await same((number + row + column) % 2 === 0 ? 'GET' : 'HEAD', {
            ...headers,
            ...(condition === undefined ? {} : { 'If-None-Match': condition }),
          });
      }
      for (const method of ['OPTIONS', 'PUT']) await same(method, {});
    }
    const unseen = urls.map(([path]) => path).filter((path) => !seen.has(path));
    expect([...new Set(unseen)].sort()).to.deep.equal(neverInFront.toSorted());
  });
});
