import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { request } from 'undici';
import { answerSchema, type Board } from '../../src/boards/board.ts';
import type { ExampleValues } from '../../src/boards/examples.ts';
import { boards } from '../../src/boards/index.ts';
import { named, plain } from '../../src/http/api/named-schemas.ts';
import { instant } from '../../src/platform/clock.ts';
import { checker } from '../../src/platform/schema.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { codePoint } from '../support/code-point.ts';
import { withDatabase } from '../support/database.ts';
import { declaredDocument, declaredRoutes, strictSchema } from '../support/declared-routes.ts';
import { exampleValues, filled, postOnPlayer, urlOf } from '../support/examples.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { richLog } from '../support/rich-log.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const passing = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
const league = join(resolve(import.meta.dirname, '..'), 'fixtures', 'league');
const now = instant('2024-10-13T18:00:00Z');

/** Requirements for every answer of a board, derived from the declarations. The fixtures only have to contain a ledger. */
describe('every board over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;
  let values: ExampleValues;

  before(async () => {
    await ingest(database.database, league, now);
    await postOnPlayer(database.database, now);
    await runPipeline(database.database, now);
    values = await exampleValues(database.database);
    api = await startApi({ database, redis }, { clock: fixedClock(now) });
  });
  after(() => api?.close());

  async function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}) {
    const { method = 'GET', headers = {} } = options;
    const response = await request(api.address + url, { method, headers });
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: Buffer.from(await response.body.arrayBuffer()),
    };
  }
  /** Omits headers that differ for every request or connection. */
  const lasting = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));

  for (const board of boards) {
    describe(board.path, () => {
      const check = checker(answerSchema(board));

      for (const example of board.examples)
        describe(`for ${JSON.stringify(example)}`, () => {
          const url = () => urlOf(board, filled(example, values));

          it('conforms to its schema, and reports its effective parameters', async () => {
            const { status, headers, bytes } = await ask(url());
            const body = JSON.parse(bytes.toString());
            expect(status, bytes.toString()).to.equal(200);
            expect(headers['content-type']).to.equal('application/json; charset=utf-8');
            const checked = check(body);
            expect(checked.ok ? [] : checked.faults).to.deep.equal([]);
            for (const [name, text] of Object.entries(filled(example, values)))
              expect(String(body.query[name]).toLowerCase()).to.equal(text.toLowerCase());
            if (board.collection !== undefined) expect(body.count).to.equal(body[board.collection].length);
          });

          it('has the headers of every public answer', async () => {
            const { headers } = await ask(url());
            expect(headers).to.include({
              'access-control-allow-origin': '*',
              'x-content-type-options': 'nosniff',
              'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
              vary: 'Accept-Encoding',
            });
            expect(headers['cache-control']).to.match(
              new RegExp(`^public, max-age=${board.lifetime}, stale-while-`),
            );
            expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
            expect(headers['referrer-policy']).to.be.a('string');
          });

          it('is 304 for a client that has it, and has no body for HEAD', async () => {
            const get = await ask(url());
            const etag = String(get.headers.etag);
            expect(etag).to.match(/^W\/"/);
            expect((await ask(url(), { headers: { 'If-None-Match': etag } })).status).to.equal(304);
            const head = await ask(url(), { method: 'HEAD' });
            expect(head.bytes).to.have.lengthOf(0);
            expect(lasting(head.headers)).to.deep.equal(lasting(get.headers));
          });

          it('has the same content when compressed', async () => {
            const plain = await ask(url());
            const gzip = await ask(url(), { headers: { 'Accept-Encoding': 'gzip' } });
            const br = await ask(url(), { headers: { 'Accept-Encoding': 'br' } });
            expect([gzip.headers['content-encoding'], br.headers['content-encoding']]).to.deep.equal([
              'gzip',
              'br',
            ]);
            expect(gunzipSync(gzip.bytes)).to.deep.equal(plain.bytes);
            expect(brotliDecompressSync(br.bytes)).to.deep.equal(plain.bytes);
          });

          it('allows cross-origin requests, and refuses other methods', async () => {
            const options = await ask(url(), { method: 'OPTIONS' });
            expect(options.status).to.equal(204);
            expect(options.headers).to.include({
              allow: 'GET, HEAD, OPTIONS',
              'access-control-allow-origin': '*',
            });
            expect((await ask(url(), { method: 'PUT' })).status).to.equal(405);
          });

          for (const format of board.formats)
            it(`is also available at ${format.path}`, async () => {
              const { status, headers, bytes } = await ask(urlOf(format, filled(example, values)));
              expect(status).to.equal(200);
              expect(headers['content-type']).to.equal(format.contentType);
              expect(headers['cache-control']).to.contain(`max-age=${format.lifetime}`);
              expect(bytes).not.to.have.lengthOf(0);
            });
        });

      const first = () => filled(board.examples[0] ?? {}, values);

      for (const { name, inPath, minimum, maximum, isNumber } of parametersOf(board)) {
        const wrong = inPath ? 404 : 400;
        if (isNumber && maximum !== undefined)
          for (const above of [String(maximum + 1), '9'.repeat(40)])
            it(`clamps ${name}=${above} to ${maximum}`, async () => {
              const { status, bytes } = await ask(urlOf(board, { ...first(), [name]: above }));
              expect(status).to.equal(200);
              expect(JSON.parse(bytes.toString()).query[name]).to.equal(maximum);
            });
        const refused = isNumber
          ? ['x', '1e3', ...(minimum === undefined ? [] : [String(minimum - 1)])]
          : ['\u0000'];
        for (const text of refused)
          it(`refuses ${name}=${JSON.stringify(text)}`, async () => {
            const { status, headers } = await ask(urlOf(board, { ...first(), [name]: text }));
            expect(status).to.equal(wrong);
            expect(headers['content-type']).to.equal('application/problem+json');
          });
        if (name === 'sport')
          it('lists the valid sports when one is unknown', async () => {
            const { status, bytes } = await ask(urlOf(board, { ...first(), sport: 'cricket' }));
            expect(status).to.equal(wrong);
            expect(JSON.parse(bytes.toString()).detail).to.contain('nba, nfl, mlb');
          });
      }

      it('never answers 5xx, whatever the query', async () => {
        const names = parametersOf(board).map(({ name }) => name);
        const text = fc.oneof(
          fc.string({ unit: codePoint }),
          fc.integer().map(String),
          fc.double().map(String),
        );
        const params = fc.dictionary(fc.constantFrom(...names, 'other'), text, { maxKeys: 4 });
        await fc.assert(
          fc.asyncProperty(params, async (given) => {
            const { status, headers } = await ask(urlOf(board, { ...first(), ...wellFormed(given) }));
            expect(status).to.be.below(500);
            if (status >= 400) expect(headers['content-type']).to.equal('application/problem+json');
          }),
          { numRuns: 15 },
        );
      });
    });
  }
});

describe('every other documented endpoint over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let api: RunningApi;
  let values: ExampleValues;

  before(async () => {
    const log = await richLog(database.database, folder);
    values = await exampleValues(database.database);
    api = await startApi({ database, redis }, { clock: { now: () => log.now } });
  });
  after(() => api?.close());

  const document = declaredDocument<Parameters<typeof strictSchema>[1]>();
  const paths = new Set(boards.flatMap((board) => [board, ...(board.formats ?? [])]).map(({ path }) => path));

  for (const { method, path, reference } of declaredRoutes()) {
    if (paths.has(path)) continue;
    for (const example of reference?.examples ?? [])
      it(`answers ${method} ${path} as documented for ${JSON.stringify(example)}`, async () => {
        const url = api.address + urlOf({ path }, filled(example, values));
        const { type = 'application/json; charset=utf-8', schema = {}, untagged } = reference?.answer ?? {};
        const response = await request(url, { method });
        const text = await response.body.text();
        expect(response.statusCode, text).to.equal(200);
        expect(response.headers['content-type']).to.equal(type);
        expect(response.headers['access-control-allow-origin']).to.equal('*');
        if (type.startsWith('application/json')) {
          const described = named({ schema: plain(schema) }).schema as object;
          const checked = checker(strictSchema(described, document))(JSON.parse(text));
          expect(checked.ok ? [] : checked.faults).to.deep.equal([]);
        }
        const { etag } = response.headers;
        expect(etag === undefined).to.equal(untagged === true);
        if (etag === undefined) return;
        const again = await request(url, { headers: { 'If-None-Match': String(etag) } });
        expect(again.statusCode).to.equal(304);
        await again.body.dump();
      });
  }

  it('describes whether each number of picks counts posted or settled ones', () => {
    const found: string[] = [];
    const visit = (schema: unknown, place: string) => {
      if (schema === null || typeof schema !== 'object') return;
      for (const [name, value] of Object.entries(schema)) {
        if (/^pick(s|Count$)/.test(name) && value?.type === 'integer')
          found.push(/posted|settled/i.test(value.description) ? 'said' : `${place}/${name}`);
        visit(value, `${place}/${name}`);
      }
    };
    visit(document, '');
    expect(new Set(found)).to.deep.equal(new Set(['said']));
  });

  it('has an example, if it is a GET that needs no secret and no setting, and ends', () => {
    const uncalled = declaredRoutes().filter(
      ({ method, reference }) =>
        method === 'GET' && reference !== undefined && (reference.examples ?? []).length === 0,
    );
    expect(uncalled.map(({ path }) => path)).to.have.members([
      '/api/stream',
      '/api/webhooks',
      '/api/webhooks/:id/attempts',
      '/api/push/:id',
      // Only with PUBLISH_PRICES.
      '/ledger/prices/:seq',
    ]);
  });
});

function parametersOf({ path, params }: Board) {
  return Object.entries(params.properties as Record<string, Record<string, unknown>>).map(
    ([name, property]) => ({
      name,
      inPath: new RegExp(`:${name}\\b`).test(path),
      isNumber: property.type === 'integer' || property.type === 'number',
      minimum: property.minimum as number | undefined,
      maximum: property.maximum as number | undefined,
    }),
  );
}

/** Drops what URLs cannot express: half a surrogate pair, and an empty segment, which is another path. */
function wellFormed(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.toWellFormed() || 'x']));
}
