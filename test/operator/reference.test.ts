import { expect } from 'chai';
import { addKeys } from '../../src/cappers/key-changes.ts';
import { kinds } from '../../src/intake/kinds.ts';
import { operatorApi, operatorDocument } from '../../src/operator/api.ts';
import { createRouter } from '../../src/operator/app.ts';
import { isImportPage } from '../../src/operator/imports/routes.ts';
import { isPage } from '../../src/operator/pages.ts';
import { runUnprobed } from '../../src/platform/availability.ts';
import { checker } from '../../src/platform/schema.ts';
import { keyToAdd, newAuthorKey } from '../support/author.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { strictSchema } from '../support/declared-routes.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const token = 'the-token-of-these-tests';

interface Operation {
  requestBody?: { content: Record<string, { schema: object; example?: Record<string, unknown> }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
}

describe("the reference of the operator's port", () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let operator: RunningOperator;
  const document = operatorDocument('1.2.3', 'http://localhost:3001') as Document;

  before(async () => {
    const clock = { now: () => Date.now() };
    operator = await startOperator({ database: stores, redis }, clock, { OPERATOR_TOKEN: token });
  });
  after(() => operator?.close());

  const bearer = { Authorization: `Bearer ${token}` };

  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  async function ask(method: string, path: string, init: RequestInit = {}): Promise<any> {
    const headers = { ...bearer, Accept: 'application/json', Origin: operator.address };
    const response = await fetch(operator.address + path, {
      ...init,
      method,
      headers: { ...headers, ...init.headers },
      redirect: 'manual',
    });
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  }

  /** Returns a self-contained schema of a part of the document, without defaults, which checks do not fill in within unions. */
  const standing = (schema: object) =>
    JSON.parse(JSON.stringify(strictSchema(schema, document)), (key, value) =>
      key === 'default' ? undefined : value,
    );

  /** Expects an answer that conforms to the document. */
  function expectDeclared(method: string, path: string, { status, body }: { status: number; body: unknown }) {
    const { responses } = document.paths[path]![method.toLowerCase()]!;
    expect(Object.keys(responses), `${method} ${path}: ${JSON.stringify(body)}`).to.include(String(status));
    const schema = responses[status]?.content?.['application/json']?.schema;
    if (schema === undefined) return;
    const checked = checker(standing(schema))(body);
    expect(checked.ok ? [] : checked.faults, `${method} ${path}`).to.deep.equal([]);
  }

  it('describes every route for programs, and no other', () => {
    const unreachable = undefined as never;
    const router = createRouter({
      config: testConfig({ OPERATOR_TOKEN: token }),
      database: unreachable,
      availability: { once: runUnprobed },
      clock: { now: () => 0 },
      redis: unreachable,
      enqueue: { queues: new Map(), add: async () => undefined } as never,
    });
    const routes = router.stack.flatMap(({ methods, path }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
    );
    const forPeople = (path: string) => isPage(path) || path.startsWith('/assets/') || isImportPage(path);
    expect(routes.filter((route) => !forPeople(route.split(' ')[1] ?? '')).sort()).to.deep.equal(
      operatorApi.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('has examples of rows that the port accepts, and describes the answers', async () => {
    const played = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
    await ask('POST', '/games', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...played, status: 'scheduled' }),
    });
    for (const { method, path, reference } of operatorApi) {
      const example = reference?.bodyExample;
      if (reference?.section !== 'rows' || example === undefined || path === '/picks/check') continue;
      const { schema } =
        document.paths[path]![method.toLowerCase()]!.requestBody!.content['application/json']!;
      for (const body of path === '/notices' ? [example] : [example, [example]]) {
        const checked = checker(standing(schema))(body);
        expect(checked.ok ? [] : checked.faults, path).to.deep.equal([]);
        const answer = await ask(method, path, {
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
          body: JSON.stringify(body),
        });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        expectDeclared(method, path, answer);
        if (!Array.isArray(body)) expect(answer.body.counts, path).to.deep.equal({ added: 1 });
      }
    }
  });

  it('checks picks as posting does, and stores nothing', async () => {
    const { bodyExample } = operatorApi.find(({ path }) => path === '/picks/check')!.reference!;
    const check = (body: object) =>
      ask('POST', '/picks/check', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const before = await stores.database('picks').count();
    const fresh = await check(bodyExample!);
    expectDeclared('POST', '/picks/check', fresh);
    expect(fresh.body.rows[0]).to.deep.include({ index: 0, outcome: 'accepted' });
    expect(fresh.body.rows[0].priceCheck.provisional).to.equal(true);
    const posted = kinds.picks.example;
    const several = await check([
      posted,
      { ...posted, capperHandle: 'nobody' },
      { ...bodyExample, subject: 'Ada Cole' },
      { ...bodyExample, pick: 'see www.picks.example' },
      {},
    ]);
    expectDeclared('POST', '/picks/check', several);
    expect(several.body.rows.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal(
      Array(5).fill('refused'),
    );
    expect(several.body.rows[0].repeats).to.be.a('string');
    expect((await check(Array(51).fill(posted))).status).to.equal(413);
    expect(await stores.database('picks').count()).to.deep.equal(before);
  });

  it('describes the answers about keys', async () => {
    const invitation = await ask('POST', '/cappers/zoe/invites');
    expectDeclared('POST', '/cappers/{handle}/invites', invitation);
    const [{ id }] = await stores.database('cappers').where({ handle: 'zoe' }).select('id');
    const key = await newAuthorKey();
    const secret = invitation.body.link.split('.').at(-1);
    const added = await keyToAdd('zoe', key, Date.now());
    await addKeys(stores.database, { id, handle: 'zoe' }, [added], secret, Date.now());
    const [{ key_id: keyId }] = await stores.database('capper_keys').select('key_id');
    const revoked = await ask('POST', `/cappers/zoe/keys/${keyId}/revoke`);
    expectDeclared('POST', '/cappers/{handle}/keys/{id}/revoke', revoked);
  });

  it("is a page and a document behind the port's sign-in", async () => {
    for (const path of ['/docs', '/openapi.json']) {
      const refused = await fetch(operator.address + path);
      expect([refused.status, refused.headers.get('www-authenticate')?.slice(0, 5)]).to.deep.equal([
        401,
        'Basic',
      ]);
    }
    const { body } = await ask('GET', '/openapi.json');
    expect(Object.keys(body.paths)).to.deep.equal(Object.keys(document.paths));
    expect(body.servers).to.deep.equal([{ url: operator.address }]);
    const [curl] = body.paths['/cappers'].post['x-codeSamples'];
    expect(curl.source).to.contain("-H 'Authorization: Bearer OPERATOR_TOKEN'").and.contain(operator.address);
    const page = (await ask('GET', '/docs')).body as string;
    for (const { reference } of operatorApi) expect(page).to.contain(`<li id="${reference?.id}">`);
  });
});
