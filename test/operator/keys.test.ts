import { expect } from 'chai';
import { addKeys } from '../../src/cappers/key-changes.ts';
import { keysOfCapper } from '../../src/cappers/keys.ts';
import { fingerprint } from '../../src/proof/capper-key.ts';
import { type AuthorKey, beginTestLog, keyToAdd, newAuthorKey } from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const token = 'the-token-of-these-tests';

// biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
type Body = any;

describe("the keys of cappers on the operator's port", () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let operator: RunningOperator;
  let capperId: number;

  before(async () => {
    const clock = { now: () => Date.now() };
    await beginTestLog(stores.owner);
    operator = await startOperator({ database: stores, redis }, clock, { OPERATOR_TOKEN: token });
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capperId = id;
  });
  after(() => operator?.close());

  async function post(path: string, authorization = `Bearer ${token}`) {
    const response = await fetch(operator.address + path, {
      method: 'POST',
      headers: { Authorization: authorization },
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async function send(kind: string, fields: Record<string, string>) {
    const response = await fetch(`${operator.address}/forms/${kind}`, {
      method: 'POST',
      headers: { Origin: operator.address, Authorization: `Basic ${btoa(`anyone:${token}`)}` },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Registers a key with the token in an invitation's link. */
  async function register(link: string): Promise<AuthorKey> {
    const [, handle, secret = ''] = /#([^.]+)\.(.+)$/.exec(link) ?? [];
    expect(handle).to.equal('ada');
    const key = await newAuthorKey();
    const now = Date.now();
    const capper = { id: capperId, handle: 'ada' };
    await addKeys(stores.database, capper, [await keyToAdd('ada', key, now)], secret, now);
    return key;
  }

  it('are invited and revoked by clients with the token', async () => {
    expect((await post('/cappers/ada/invites', 'Bearer wrong')).status).to.equal(401);
    expect((await post('/cappers/nobody/invites')).status).to.equal(404);
    const invited = await post('/cappers/Ada/invites');
    expect(invited.status).to.equal(201);
    expect(invited.body.link).to.match(/^https:\/\/picks\.example\/join#ada\.[\w-]{32}$/);
    expect(Date.parse(invited.body.expiresAt) - Date.now()).to.be.within(
      7 * 86_400_000 - 60_000,
      7 * 86_400_000,
    );
    const key = await register(invited.body.link);
    expect((await post(`/cappers/ada/keys/${'0'.repeat(64)}/revoke`)).status).to.equal(404);
    const revoked = await post(`/cappers/ada/keys/${key.id}/revoke`);
    expect([revoked.status, revoked.body]).to.deep.equal([200, { revoked: key.id }]);
    expect((await post(`/cappers/ada/keys/${key.id}/revoke`)).status).to.equal(409);
    expect((await keysOfCapper(stores.database, capperId))[0]).to.include({ revokedBy: 'operator' });
  });

  it('are invited and revoked by forms', async () => {
    const row = (fields: object) => ({ row: JSON.stringify(fields) });
    const page = await send('invites', row({ capperHandle: 'ada' }));
    expect(page.status).to.equal(200);
    const [link = ''] = /https:\/\/picks\.example\/join#ada\.[\w-]+/.exec(page.text) ?? [];
    const key = await register(link);
    const wrong = await send('revocations', row({ capperHandle: 'ada', key: '0000 0000 0000 0000' }));
    expect([
      wrong.status,
      wrong.text.includes('The capper has no such key. Check its ID or fingerprint.'),
    ]).to.deep.equal([422, true]);
    const revoked = await send('revocations', row({ capperHandle: 'ada', key: fingerprint(key.id) }));
    expect(revoked.text).to.contain(`Key ${key.id} is revoked.`);
    expect((await send('invites', row({}))).status).to.equal(422);
  });

  it('are recorded without the token of an invitation', async () => {
    const actions: { action: string; about: string; refused: number }[] = await stores
      .database('operator_actions as a')
      .join('operator_outcomes as o', 'o.action_id', 'a.id')
      .orderBy('a.id')
      .select('a.action', 'a.about', 'o.refused');
    expect(actions.map(({ action, refused }) => [action, refused])).to.deep.equal([
      ['invites', 1],
      ['invites', 0],
      ['revocations', 1],
      ['revocations', 0],
      ['revocations', 1],
      ['invites', 0],
      ['revocations', 1],
      ['revocations', 0],
    ]);
    const hashes: Buffer[] = await stores.owner('capper_invites').pluck('token_hash');
    expect(hashes).to.have.lengthOf(2);
    for (const { about } of actions) expect(about).to.match(/^(nobody|Ada|ada)(, [0-9a-f ]+)?$/);
  });
});
