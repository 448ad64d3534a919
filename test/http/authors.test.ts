import { expect } from 'chai';
import { Registry } from 'prom-client';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { type KeyStatement, type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import {
  type AuthorKey,
  beginTestLog,
  intents,
  keyToAdd,
  newAuthorKey,
  signedPost,
  testOrigin,
} from '../support/author.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
type Body = any;

describe('the API for cappers with keys', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const metrics = new Registry();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  let site: RunningApi;
  let web: Database;
  let capperId: number;
  let device: AuthorKey;
  let recovery: AuthorKey;

  before(async () => {
    const owned = stores.owner;
    const rows = await owned('cappers')
      .insert(
        ['ada', 'bea'].map((handle) => ({ handle, tier: 'listed', verified: true, created_at: new Date() })),
      )
      .returning('id');
    capperId = rows[0].id;
    await owned('games').insert({
      sport: 'soccer',
      name: 'Hawks @ Otters',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    await beginTestLog(stores.database);
    // The web process's rights, and no others.
    web = openDatabase(asLogin(stores.url, 'web'), { connections: 4 });
    site = await startApi(
      { database: stores, redis },
      { database: web, clock: { now: () => Date.now() }, metrics, settings: { TRUST_PROXY: '1' } },
    );
  });
  after(async () => {
    await site?.close();
    await web?.destroy();
  });

  async function ask(path: string, body?: unknown, ip = '198.51.100.7') {
    const response = await fetch(site.address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'X-Forwarded-For': ip,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  const wire = ({ endorsedBy, endorsement, ...key }: Awaited<ReturnType<typeof keyToAdd>>) => ({
    ...key,
    ...(endorsedBy === null ? {} : { endorsed_by: endorsedBy, endorsement }),
  });

  const intent = intents(startsAt);
  const signed = (key: AuthorKey, changes?: Partial<PickIntent>) => signedPost(key, intent(changes));

  it('registers the keys of an invitation once, and shows them', async () => {
    const now = Date.now();
    const { token } = await makeInvite(stores.database, capperId, now);
    device = await newAuthorKey();
    recovery = await newAuthorKey();
    const keys = [
      wire(await keyToAdd('ada', device, now)),
      wire(await keyToAdd('ada', recovery, now, { purpose: 'recovery', endorser: device })),
    ];
    const guessed = await ask('/api/cappers/ada/keys', { token: 'a'.repeat(32), keys });
    expect(guessed.status, JSON.stringify(guessed.body)).to.equal(403);
    const ofAnother = await ask('/api/cappers/bea/keys', { token, keys });
    expect(ofAnother.status).to.equal(403);
    const added = await ask('/api/cappers/Ada/keys', { token, keys });
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    expect(added.headers.get('cache-control')).to.equal('no-store');
    expect(added.headers.get('access-control-allow-origin')).to.equal('*');
    const again = await newAuthorKey();
    const twice = await ask('/api/cappers/ada/keys', {
      token,
      keys: [wire(await keyToAdd('ada', again, now))],
    });
    expect(twice.status).to.equal(403);
    const shown = await ask('/api/cappers/ada/keys');
    expect(shown.body).to.include({ capper: 'ada', count: 2 });
    expect(shown.body.keys[0]).to.include({
      id: device.id,
      key: device.key,
      first: true,
      purpose: 'device',
      by: null,
    });
    expect(shown.body.keys[1]).to.include({ id: recovery.id, endorsedBy: device.id, purpose: 'recovery' });
    expect((await ask('/api/cappers/nobody/keys')).status).to.equal(404);
  });

  it('posts a signed pick once', async () => {
    const post = await signed(device);
    const first = await ask('/api/picks', post);
    expect(first.status, JSON.stringify(first.body)).to.equal(201);
    expect(first.body.priceCheck).to.include({ provisional: true });
    expect(first.body.url).to.equal(`https://picks.example/p/${first.body.pickUuid}`);
    const second = await ask('/api/picks', post);
    expect([second.status, second.body.pickUuid]).to.deep.equal([200, first.body.pickUuid]);
    const row = await stores.owner('picks').where({ uuid: first.body.pickUuid }).first();
    expect(row).to.include({ author_key: device.id, author_signature: post.signature, provenance: 'live' });
  });

  it('refuses each fault with its own status, and counts it', async () => {
    const stranger = await newAuthorKey();
    const good = await signed(device);
    const used = await signed(device);
    await ask('/api/picks', used);
    const cases: [what: string, post: unknown, status: number][] = [
      ['an unknown key', await signed(stranger), 401],
      ['a recovery key', await signed(recovery), 401],
      ['the key of another capper', await signed(device, { capper: 'bea' }), 401],
      ['another pick than was signed', { ...good, intent: { ...good.intent, odds_american: 500 } }, 401],
      [
        'a clock that is behind',
        await signed(device, { at: new Date(Date.now() - 180_000).toISOString() }),
        401,
      ],
      [
        'a clock that is ahead',
        await signed(device, { at: new Date(Date.now() + 180_000).toISOString() }),
        401,
      ],
      ['a nonce that was used', await signed(device, { nonce: used.intent.nonce }), 409],
      ['a pick that is pending', await signed(device, { subject: used.intent.subject }), 409],
      ['a game that is not there', await signed(device, { game: 'Hawks @ Nobody' }), 422],
      ['impossible odds', { ...good, intent: { ...good.intent, odds_american: 50 } }, 401],
      ['a field too many', { ...good, intent: { ...good.intent, postedAt: good.intent.at } }, 400],
      ['no signature', { ...good, signature: undefined }, 400],
      ['a text as stake', { ...good, intent: { ...good.intent, stake_e4: '1' } }, 400],
      ['a stake without bounds', { ...good, intent: { ...good.intent, stake_e4: 1e12 } }, 400],
      [
        'an instant that is none',
        { ...good, intent: { ...good.intent, at: '2026-01-10T23:59:60.000Z' } },
        400,
      ],
      ['what is no JSON', '{"intent":', 400],
      ['a list', [good], 400],
      ['9 KB', { ...good, signature: 'A'.repeat(9_000) }, 413],
    ];
    const { rows: before } = await stores.owner.raw('select count(*)::int as picks from picks');
    for (const [what, post, status] of cases) {
      const answer = await ask('/api/picks', post);
      expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).to.equal(status);
      expect(answer.headers.get('content-type'), what).to.equal('application/problem+json');
    }
    const { rows: after } = await stores.owner.raw('select count(*)::int as picks from picks');
    expect(after).to.deep.equal(before);
    const counted = await metrics.getSingleMetricAsString('public_picks_author_refusals_total');
    expect(counted).to.contain('{request="pick",reason="signature"} 7');
    expect(counted).to.contain('{request="pick",reason="oversized"} 1');
    expect(counted).to.contain('{request="keys",reason="forbidden"} 3');
  });

  it('registers a second device with the recovery key, and revokes the first', async () => {
    const phone = await newAuthorKey();
    const key = wire(await keyToAdd('ada', phone, Date.now(), { endorser: recovery }));
    expect((await ask('/api/cappers/ada/keys', { keys: [key] })).status).to.equal(201);
    const unendorsed = wire(await keyToAdd('ada', await newAuthorKey(), Date.now()));
    expect((await ask('/api/cappers/ada/keys', { keys: [unendorsed] })).status).to.equal(403);
    const at = new Date().toISOString();
    const statement: KeyStatement = {
      origin: testOrigin,
      capper: 'ada',
      action: 'revoke',
      key: device.key,
      purpose: 'device',
      at,
    };
    const endorsement = await recovery.sign(signedBytes('key-statement/v1', statement));
    const path = `/api/cappers/ada/keys/${device.id}/revoke`;
    const forged = { at, endorsed_by: recovery.id, endorsement: await phone.sign(new Uint8Array(32)) };
    expect((await ask(path, forged)).status).to.equal(403);
    const revoked = await ask(path, { at, endorsed_by: recovery.id, endorsement });
    expect(revoked.status, JSON.stringify(revoked.body)).to.equal(200);
    expect(revoked.body.keys[0]).to.include({ id: device.id, by: 'capper' });
    expect((await ask('/api/picks', await signed(device))).status).to.equal(401);
    expect((await ask('/api/picks', await signed(phone))).status).to.equal(201);
    device = phone;
  });

  it("stores a capper's signed profile, and shows no forged one", async () => {
    const text = {
      display_name: 'Ada <b>L.</b>',
      link: 'https://ada.example/?a=1&b="',
      about: 'Unders & dogs.',
    };
    const sign = async (key: AuthorKey, changes: object = {}) => {
      const profile = {
        origin: testOrigin,
        capper: 'ada',
        ...text,
        at: new Date().toISOString(),
        ...changes,
      };
      return { profile, key: key.id, signature: await key.sign(signedBytes('profile/v1', profile)) };
    };
    const good = await sign(device, { link: 'https://ada.example/?a=1&b=2' });
    const path = '/api/cappers/ada/profile';
    const cases: [what: string, given: unknown, status: number][] = [
      ['a stranger', await sign(await newAuthorKey()), 403],
      ['a recovery key', await sign(recovery), 403],
      ['another text than was signed', { ...good, profile: { ...good.profile, about: 'Overs.' } }, 403],
      ['another capper', await sign(device, { capper: 'bea' }), 403],
      ['a clock that is off', await sign(device, { at: '2026-01-10T17:05:00.000Z' }), 422],
      ['no https', { ...good, profile: { ...good.profile, link: 'javascript:alert(1)' } }, 400],
      ['a long text', { ...good, profile: { ...good.profile, about: 'a'.repeat(281) } }, 400],
      ['another site in the text', await sign(device, { link: null, about: 'Join vip-picks.bet' }), 422],
      ['a mention in the name', await sign(device, { link: null, display_name: '@everyone' }), 422],
      ['an invisible letter', await sign(device, { link: null, about: 'Unders\u{e0041}' }), 422],
      [
        'a link that shows another site',
        await sign(device, { link: 'https://this.example@elsewhere.example/' }),
        422,
      ],
      ['a control character', { ...good, profile: { ...good.profile, about: 'a\u202eb' } }, 400],
    ];
    for (const [what, given, status] of cases) {
      const answer = await ask(path, given);
      expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).to.equal(status);
    }
    expect((await ask(path)).body).to.deep.equal({ profile: null, key: null, signature: null });
    const saved = await ask(path, good);
    expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
    expect(saved.body).to.deep.equal(good);
    expect((await ask(path, good)).status).to.equal(409);
    await stores.owner('capper_profiles').insert({
      capper_id: capperId,
      key_id: device.id,
      display_name: 'Forged',
      link: null,
      about: null,
      at: '2030-01-01T00:00:00Z',
      signature: good.signature,
      stored_at: new Date(),
    });
    expect((await ask(path)).body).to.deep.equal(good);
    const page = await (await fetch(`${site.address}/c/ada`)).text();
    expect(page).to.contain('Ada &lt;b&gt;L.&lt;/b&gt;').and.not.contain('Forged');
    expect(page).to.contain('href="https://ada.example/?a=1&amp;b=2" rel="nofollow ugc noopener"');
  });

  it('says at which odds picks would count, before anything is signed, and stores nothing', async () => {
    const path = '/api/picks/check';
    const row = {
      capperHandle: 'ada',
      sport: 'soccer',
      game: 'Hawks @ Otters',
      startsAt,
      market: 'moneyline',
      side: 'home',
      pick: 'Otters',
      oddsAmerican: 150,
      stakeUnits: 1,
    };
    const unseen = await ask(path, row);
    expect(unseen.body.rows[0]).to.deep.include({ index: 0, outcome: 'accepted' });
    expect(unseen.body.rows[0].sentence).to.equal(
      'You ask +150; nobody has seen a price of this bet. It would count at +150. It cannot be withdrawn.',
    );
    const [{ id: gameId }] = await stores.owner('games').where({ name: row.game }).select('id');
    await stores.owner('lines').insert({
      game_id: gameId,
      market: 'moneyline',
      side: 'home',
      odds_american: -130,
      book: 'demo-north',
      captured_at: new Date(Date.now() - 150_000),
      closing: false,
      by_hand: false,
    });
    const before = await stores.owner('picks').count();
    const several = await ask(path, [
      row,
      { ...row, side: 'away', pick: 'Hawks' },
      { ...row, capperHandle: 'nobody' },
      { ...row, oddsAmerican: 50 },
      {},
    ]);
    expect(several.status, JSON.stringify(several.body)).to.equal(200);
    const [above, nowhere, ...refused] = several.body.rows;
    expect(above.sentence).to.equal(
      'You ask +150; the best price is -130 (demo-north, 2 minutes ago). It would count at -130. It cannot be withdrawn.',
    );
    expect(above.priceCheck).to.include({
      verdict: 'above_market',
      provisional: true,
      countedAmerican: -130,
    });
    const lower = await ask(path, { ...row, oddsAmerican: -140 });
    expect(lower.body.rows[0].sentence).to.contain('It would count at -140.');
    expect(nowhere.priceCheck).to.include({ verdict: 'unseen', countedAmerican: null });
    expect(nowhere.sentence).to.match(/would not count in any figure.* It cannot be withdrawn\.$/);
    expect(refused.map(({ outcome }: Body) => outcome)).to.deep.equal(['refused', 'refused', 'refused']);
    expect(refused[0].reason).to.match(/nobody/);
    const [pending] = await stores.owner('picks').orderBy('id').select('uuid', 'subject');
    const repeats = await ask(path, {
      ...row,
      market: 'question',
      side: 'yes',
      pick: 'Yes',
      oddsAmerican: -110,
      subject: pending.subject,
    });
    expect(repeats.body.rows[0]).to.deep.include({ outcome: 'refused', repeats: pending.uuid });
    expect(await stores.owner('picks').count()).to.deep.equal(before);
    expect((await ask(path, Array(51).fill(row))).status).to.equal(413);
    expect((await ask(path, [{ ...row, pick: 'x'.repeat(32_800) }])).status).to.equal(413);
    expect((await ask(path, Array(50).fill({}))).status).to.equal(200);
    expect((await ask(path, '"a"')).status).to.equal(400);
    expect((await ask(path)).status).to.be.oneOf([404, 405]);
  });

  it('allows an address 60 checks a minute', async () => {
    const statuses = [];
    for (let round = 0; round < 61; round += 1)
      statuses.push((await ask('/api/picks/check', {}, '192.0.2.77')).status);
    expect(statuses).to.deep.equal([...Array(60).fill(200), 429]);
    expect((await ask('/api/picks/check', {}, '192.0.2.78')).status).to.equal(200);
  });

  it('allows a key 60 picks an hour, whatever others send in its name', async () => {
    for (let time = 0; time < 70; time += 1) {
      const forged = { ...(await signed(device)), intent: intent() };
      expect((await ask('/api/picks', forged, '203.0.113.9')).status).to.equal(401);
    }
    let limited: Awaited<ReturnType<typeof ask>> | undefined;
    let taken = 0;
    for (let time = 0; time < 62 && limited === undefined; time += 1) {
      const answer = await ask(
        '/api/picks',
        await signed(device, { game: 'Hawks @ Nobody' }),
        '203.0.113.10',
      );
      if (answer.status === 429) limited = answer;
      else taken += 1;
    }
    expect(taken).to.equal(59);
    expect(Number(limited?.headers.get('retry-after'))).to.be.within(3000, 3600);
  });

  it('allows an address 300 signed picks an hour', async () => {
    const post = { ...(await signed(device)), intent: intent() };
    const statuses: number[] = [];
    for (let round = 0; round < 43; round += 1)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 7 }, async () => (await ask('/api/picks', post, '192.0.2.44')).status),
        )),
      );
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(1);
    expect((await ask('/api/picks', post, '192.0.2.45')).status).to.equal(401);
  });
});
