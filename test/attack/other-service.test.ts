import { expect } from 'chai';
import { v4 } from 'uuid';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { startNewOrigin } from '../../src/ledger/publishing/new-origin.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { signedBytes } from '../../src/proof/capper-key.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import {
  type AuthorKey,
  firstKey,
  intents,
  keyToAdd,
  newAuthorKey,
  signedPost,
  testOrigin,
} from '../support/author.ts';
import { asLogin, expectedOfTests, withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

/** Another service that a capper signs for, and whose operator copies what they signed. */
const elsewhere = 'elsewhere.example/ledger';
const publisher = {
  baseUrl: 'https://picks.example',
  demo: false,
  key: Buffer.alloc(32, 9).toString('base64'),
};

describe('statements that a capper signed for another service', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  const capper = { id: 0, handle: 'ada' };
  let site: RunningApi;
  let device: AuthorKey;

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capper.id = id;
    await stores.owner('games').insert({
      sport: 'soccer',
      name: 'Hawks @ Otters',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    device = await firstKey(stores.database, capper, Date.now());
    site = await startApi({ database: stores, redis }, { clock: { now: () => Date.now() } });
  });
  after(() => site?.close());

  const anIntent = intents(startsAt, { odds_american: 150 });
  const intent = (origin: string) => anIntent({ origin });
  async function send(path: string, body: object): Promise<{ status: number; detail: string }> {
    const response = await fetch(site.address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { detail = '' } = (await response.json()) as { detail?: string };
    return { status: response.status, detail };
  }

  it('are refused at every door, with a sentence that names both services', async () => {
    const both = /signed for another service, elsewhere\.example\/ledger: this one is picks\.example\/ledger/;
    const pick = await send('/api/picks', await signedPost(device, intent(elsewhere)));
    expect([pick.status, pick.detail]).to.satisfy(() => pick.status === 401 && both.test(pick.detail));

    const key = await newAuthorKey();
    const { endorsedBy, ...added } = await keyToAdd('ada', key, Date.now(), {
      origin: elsewhere,
      endorser: device,
    });
    const keys = [{ ...added, endorsed_by: endorsedBy }];
    const named = await send('/api/cappers/ada/keys', { origin: elsewhere, keys });
    expect([named.status, both.test(named.detail)], named.detail).to.deep.equal([403, true]);
    for (const body of [{ keys }, { origin: testOrigin, keys }]) {
      const copied = await send('/api/cappers/ada/keys', body);
      expect(copied.status).to.equal(403);
      expect(copied.detail).to.match(/not signed the statement that adds it to the log picks\.example/);
    }
    // An invitation of this service does not help.
    const { token } = await makeInvite(stores.database, capper.id, Date.now());
    const invited = { ...keys[0]!, endorsed_by: null, endorsement: null };
    expect((await send('/api/cappers/ada/keys', { token, keys: [invited] })).status).to.equal(403);

    const at = new Date().toISOString();
    const revocation = { capper: 'ada', action: 'revoke', key: device.key, purpose: 'device', at } as const;
    const endorsement = await device.sign(
      signedBytes('key-statement/v1', { origin: elsewhere, ...revocation }),
    );
    const body = { at, endorsed_by: device.id, endorsement };
    const path = `/api/cappers/ada/keys/${device.id}/revoke`;
    expect((await send(path, body)).detail).to.match(
      /has not signed the statement for the log picks\.example/,
    );
    expect((await send(path, { ...body, origin: elsewhere })).detail).to.match(both);

    const profile = { origin: elsewhere, capper: 'ada', display_name: 'Ada', link: null, about: null, at };
    const signature = await device.sign(signedBytes('profile/v1', profile));
    const saved = await send('/api/cappers/ada/profile', { profile, key: device.id, signature });
    expect([saved.status, both.test(saved.detail)], saved.detail).to.deep.equal([403, true]);
    expect((await send('/api/picks', await signedPost(device, intent(testOrigin)))).status).to.equal(201);
  });

  it('are set aside if a login stores them, and sealed nowhere', async () => {
    const web = openDatabase(asLogin(stores.url, 'web'), { connections: 1 });
    try {
      const key = await newAuthorKey();
      const {
        endorsedBy,
        origin: _,
        ...added
      } = await keyToAdd('ada', key, Date.now(), { origin: elsewhere });
      await web('capper_keys').insert({
        ...added,
        endorsed_by: endorsedBy,
        capper_id: capper.id,
        action: 'add',
        key_id: key.id,
        first: false,
        made_by: 'capper',
        stored_at: new Date(),
      });
      const made = intent(elsewhere);
      const { signature } = await signedPost(device, made);
      const { id: gameId } = await stores.owner('games').first('id');
      await web('picks').insert({
        uuid: v4(),
        capper_id: capper.id,
        tier: 'listed',
        game_id: gameId,
        starts_at: startsAt,
        market: made.market,
        subject: made.subject,
        side: 'yes',
        line_e3: null,
        pick: 'Yes',
        odds_american: 150,
        stake_e4: 10_000,
        book: null,
        source: 'author',
        provenance: 'live',
        posted_at: new Date(),
        author_key: device.id,
        author_nonce: made.nonce,
        author_at: made.at,
        author_signature: signature,
      });
    } finally {
      await web.destroy();
    }
    await sealAll(stores.database);
    const aside = await eventsSetAside(stores.database);
    expect(
      aside.map(({ kind, reason }) => [kind, /picks\.example\/ledger$/.test(reason)]),
    ).to.have.deep.members([
      ['capper_key', true],
      ['posted', true],
    ]);
  });

  it('of a log that new-origin continues stay valid, and those of other logs do not', async () => {
    const posted = await postSigned(
      stores.database,
      await signedPost(device, intent(testOrigin)),
      Date.now(),
    );
    if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
    await sealAll(stores.database);
    await publishCheckpoint(stores.database, publisher, Date.now());
    const before = await openLog(site.address).keys();

    const origin = 'picks.example/ledger-2';
    await startNewOrigin(stores.owner, { origin, notice: 'The disk was lost.', at: Date.now() });
    await publishCheckpoint(stores.database, publisher, Date.now());
    const { difference } = await audit(stores.database, async () => undefined, {
      onFinding() {},
      expected: expectedOfTests,
    });
    expect(difference).to.equal(null);
    const published = await openLog(site.address).keys();
    expect(published.map(({ name }) => name)).to.have.members([origin, testOrigin]);

    const own = published.filter(({ name }) => name === origin);
    const receipt = await receiptOf(stores.database, posted.pickUuid);
    const found = await verifyReceipt(receipt, { keys: published });
    expect(found.failed).to.equal(null);
    expect(found.steps.at(-1)!.detail).to.match(/, for an earlier log whose key is trusted\.$/);
    const stranger = before.map((key) => ({ ...key, name: elsewhere }));
    for (const keys of [own, [...own, ...stranger]]) {
      const { failed } = await verifyReceipt(receipt, { keys });
      expect([failed?.step, failed?.detail]).to.deep.equal([
        'author',
        `The key of entry ${failed?.detail.match(/\d+/)?.[0]} is not valid: it has not signed the statement that adds it to the log ${origin}.`,
      ]);
    }

    const trusted = own.map(formatVerifierKey);
    const kinds = async (earlier: readonly string[]) => {
      const state = newState(origin, trusted, earlier);
      const { findings } = await poll(openLog(site.address), state, { now: Date.now(), history: true });
      return [...new Set(findings.map(({ kind }) => kind))];
    };
    expect(await kinds([testOrigin])).to.deep.equal([]);
    expect(await kinds([elsewhere])).to.have.members(['capper_key', 'author']);

    const next = await send('/api/picks', await signedPost(device, intent(testOrigin)));
    expect([next.status, next.detail]).to.satisfy(() =>
      /this one is picks\.example\/ledger-2/.test(next.detail),
    );
    expect((await send('/api/picks', await signedPost(device, intent(origin)))).status).to.equal(201);
  });
});
