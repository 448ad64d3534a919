import { expect } from 'chai';
import { addKeys, makeInvite, revokeKey, revokeKeyAsOperator } from '../../src/cappers/key-changes.ts';
import { keysOfCapper } from '../../src/cappers/keys.ts';
import { playerAliases } from '../../src/games/names/aliases.ts';
import { knownSubjects } from '../../src/games/subjects.ts';
import { parseJson } from '../../src/http/transport/body.ts';
import { findFile, keepFile } from '../../src/operator/imports/kept-files.ts';
import { type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import {
  type AuthorKey,
  beginTestLog,
  firstKey,
  intents,
  keyToAdd,
  newAuthorKey,
  signedPost,
  testOrigin,
} from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

describe('places that a thief or a stranger tries to use up', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  let site: RunningApi;
  let capper: { id: number; handle: string };
  let stolen: AuthorKey;
  let recovery: AuthorKey;

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capper = { id, handle: 'ada' };
    await stores.owner('games').insert({
      sport: 'soccer',
      name: 'Hawks @ Otters',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    await beginTestLog(stores.database);
    site = await startApi({ database: stores, redis }, { clock: { now: () => Date.now() } });
    const now = Date.now();
    [stolen, recovery] = [await newAuthorKey(), await newAuthorKey()];
    const { token } = await makeInvite(stores.database, id, now);
    const keys = [
      await keyToAdd('ada', stolen, now),
      await keyToAdd('ada', recovery, now, { purpose: 'recovery', endorser: stolen }),
    ];
    await addKeys(stores.database, capper, keys, token, now);
  });
  after(() => site?.close());

  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error.message,
    );
  const addBy = async (endorser: AuthorKey, purpose: 'device' | 'recovery' = 'device') => {
    const key = await newAuthorKey();
    const now = Date.now();
    await addKeys(
      stores.database,
      capper,
      [await keyToAdd('ada', key, now, { purpose, endorser })],
      undefined,
      now,
    );
    return key;
  };
  const endorsementBy = (signer: AuthorKey, key: AuthorKey, purpose: 'device' | 'recovery', at: string) =>
    signer.sign(
      signedBytes('key-statement/v1', {
        origin: testOrigin,
        capper: 'ada',
        action: 'revoke',
        key: key.key,
        purpose,
        at,
      }),
    );
  const valid = async () =>
    (await keysOfCapper(stores.database, capper.id)).filter(({ revokedId }) => revokedId === null);

  /** Adds keys with a stolen device and its additions, each by the one before, until there is no place. */
  async function fill(from: AuthorKey): Promise<AuthorKey[]> {
    const added: AuthorKey[] = [];
    for (;;) {
      const key = await addBy(added.at(-1) ?? from).catch(() => undefined);
      if (key === undefined) return added;
      added.push(key);
    }
  }

  it("devices: the recovery key and the operator keep two, and revoke a thief's additions at once", async () => {
    const added = await fill(stolen);
    expect(added).to.have.length(5);
    expect(await refusal(addBy(stolen))).to.match(/at most 8 devices/);
    expect(await refusal(addBy(stolen, 'recovery'))).to.match(/Only the recovery key/);
    const at = new Date().toISOString();
    const ofRecovery = await endorsementBy(stolen, recovery, 'recovery', at);
    const takeAway = { keyId: recovery.id, at, endorsedBy: stolen.id, endorsement: ofRecovery };
    expect(await refusal(revokeKey(stores.database, capper, takeAway, Date.now()))).to.match(/device cannot/);

    const own = await addBy(recovery);
    const additions = await Promise.all(
      added.map(async (key) => ({
        keyId: key.id,
        endorsement: await endorsementBy(recovery, key, 'device', at),
      })),
    );
    const endorsement = await endorsementBy(recovery, stolen, 'device', at);
    const revocation = { keyId: stolen.id, at, endorsedBy: recovery.id, endorsement };
    const foreign = [{ keyId: own.id, endorsement: await endorsementBy(recovery, own, 'device', at) }];
    expect(
      await refusal(revokeKey(stores.database, capper, { ...revocation, additions: foreign }, Date.now())),
    ).to.match(/not added by/);
    await revokeKey(stores.database, capper, { ...revocation, additions }, Date.now());
    expect((await valid()).map(({ keyId }) => keyId)).to.have.members([own.id, recovery.id]);

    const again = await fill(own);
    expect(again).to.have.length(5);
    const { token } = await makeInvite(stores.database, capper.id, Date.now());
    const invited = await newAuthorKey();
    const unendorsed = [await keyToAdd('ada', invited, Date.now())];
    await addKeys(stores.database, capper, unendorsed, token, Date.now());
    const revoked = await revokeKeyAsOperator(stores.database, capper, own.id, Date.now(), true);
    expect(revoked).to.have.members([own.id, ...again.map(({ id }) => id)]);
    expect((await valid()).map(({ keyId }) => keyId)).to.have.members([invited.id, recovery.id]);
    stolen = invited;
  });

  const anIntent = intents(startsAt);
  const intent = (nonce: string, changes: Partial<PickIntent> = {}) => anIntent({ nonce, ...changes });
  const post = async (body: object) => {
    const response = await fetch(`${site.address}/api/picks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  it('a nonce: of picks that race for it, one is stored, and the others are refused', async () => {
    const raced = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        post(await signedPost(stolen, intent('nonce-that-many-want', { subject: `Question ${index}` }))),
      ),
    );
    expect(raced.map(({ status }) => status).sort(), JSON.stringify(raced)).to.deep.equal([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });

  it("a key's hour: copies of a signed pick do not count, stored or refused", async () => {
    const good = await signedPost(stolen, intent('nonce-of-a-copied-pick-1'));
    const bad = await signedPost(stolen, intent('nonce-of-a-copied-pick-2', { game: 'Hawks @ Nobody' }));
    const copies = await Promise.all(Array.from({ length: 100 }, (_, index) => post(index % 2 ? good : bad)));
    expect(new Set(copies.map(({ status }) => status))).to.deep.equal(new Set([200, 201, 422]));
    const next = await post(await signedPost(stolen, intent('nonce-of-another-pick-3')));
    expect(next.status, next.text).to.equal(201);
  });

  it("a player's name: an odd spelling that came first is nobody's, and everyone signs their own", async () => {
    const bet = { market: 'player_receptions', side: 'over', line_e3: 4_500, pick: 'Over 4.5', sport: 'nfl' };
    await stores.owner('games').insert({
      sport: 'nfl',
      name: 'Gulls @ Foxes',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    const [{ id: other }] = await stores
      .owner('cappers')
      .insert({ handle: 'bea', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    const honest = await firstKey(stores.database, { id: other, handle: 'bea' }, Date.now());
    const by = (capper: string, subject: string) =>
      intent(`nonce-of-${capper}-${Buffer.from(subject).toString('hex')}`.slice(0, 60), {
        ...bet,
        capper,
        subject,
        game: 'Gulls @ Foxes',
      });
    for (const odd of ['Rory 🏈 Finch', 'R.o.r.y F.i.n.c.h', 'Ro\u0336\u0336\u0336ry Finch', 'Rory Fіnch']) {
      const refused = await post(await signedPost(stolen, by('ada', odd)));
      expect(refused.status, odd).to.equal(422);
      expect(/[Aa] subject has/.test(refused.text), refused.text).to.equal(true);
    }
    const first = await post(await signedPost(stolen, by('ada', 'rORY  fINCH jR.')));
    expect(first.status, first.text).to.equal(201);
    for (const own of ['Rory Finch', 'Rory Finch Jr.']) {
      const posted = await post(
        await signedPost(honest, { ...by('bea', own), line_e3: 5_500 + own.length * 500 }),
      );
      expect(posted.status, posted.text).to.equal(201);
    }
    const stored = await stores.owner('picks').where({ market: bet.market }).orderBy('id');
    expect(stored.map(({ subject, author_subject }) => [subject, author_subject])).to.deep.equal([
      ['Rory Finch Jr.', 'rORY  fINCH jR.'],
      ['Rory Finch Jr.', 'Rory Finch'],
      ['Rory Finch Jr.', null],
    ]);
  });

  it("a bet's words: no text names another bet, and none carries an address or a mention", async () => {
    const texts = [
      ...['Foxes -3.5', 'over 44.5', 'Foxes ML', 'https://evil.example Gulls +3.5', 'Gulls +3.5 @everyone'],
      ...['Gulls +3.5 t.me/evil', '<@123> Gulls +3.5', 'Gulls\u200b +3.5'],
    ];
    for (const [index, text] of texts.entries()) {
      const lie = intent(`nonce-of-a-lying-text-${index}`, {
        sport: 'nfl',
        game: 'Gulls @ Foxes',
        market: 'spread',
        subject: null,
        side: 'away',
        line_e3: 3_500,
        pick: text,
      });
      const { status, text: answer } = await post(await signedPost(stolen, lie));
      expect(status, `${text}: ${answer}`).to.be.oneOf([400, 422]);
    }
  });

  it('a handle: nobody adds a key to one without its own invitation, which is used once', async () => {
    const register = async (handle: string, token: string | undefined, key: AuthorKey) => {
      const { endorsedBy, ...given } = await keyToAdd(handle, key, Date.now());
      const response = await fetch(`${site.address}/api/cappers/${handle}/keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...(token && { token }), keys: [{ ...given, endorsed_by: endorsedBy }] }),
      });
      return response.status;
    };
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'cleo', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    const { token } = await makeInvite(stores.database, id, Date.now());
    const key = await newAuthorKey();
    expect(await register('cleo', undefined, key)).to.equal(403);
    expect(await register('cleo', `${token.slice(0, -2)}xx`, key)).to.equal(403);
    expect(await register('bea', token, key)).to.equal(403);
    expect(await register('nobody', token, key)).to.equal(404);
    const raced = await Promise.all([key, await newAuthorKey()].map((each) => register('cleo', token, each)));
    expect(raced.sort()).to.deep.equal([201, 403]);
    expect(await register('cleo', token, await newAuthorKey())).to.equal(403);
    // A used invitation takes no place: the operator makes another.
    const again = await makeInvite(stores.database, id, Date.now());
    expect(await register('cleo', again.token, await newAuthorKey())).to.equal(201);
  });

  it('an alias: a wrong one is replaced, and spellings that came before it stay', async () => {
    const about = async (subject: string) => {
      const { id: gameId, name: game } = await stores.owner('games').where({ name: 'Gulls @ Foxes' }).first();
      const row = { gameId, sport: 'nfl', game, market: 'player_receptions', subject };
      return (await knownSubjects(stores.database, [row]))[0];
    };
    await about('Sol Heron');
    const alias = { sport: 'nfl', alias: 'ada quill'.replace(' ', ''), player: 'roryfinchjr' };
    await playerAliases.put(stores.database, alias);
    expect(await about('Ada Quill')).to.equal('Rory Finch Jr.');
    await playerAliases.put(stores.database, { ...alias, player: 'solheron' });
    expect(await about('Ada Quill')).to.equal('Sol Heron');
    expect(await about('Rory Finch')).to.equal('Rory Finch Jr.');
  });

  it("uploads: one operator's files take no place of another's, and the oldest go", async () => {
    const file = { name: 'a.csv', bytes: Buffer.from('a') };
    const kept = await keepFile(stores.database, 'ada', file);
    const flood: string[] = [];
    for (let index = 0; index < 30; index += 1) flood.push(await keepFile(stores.database, 'thief', file));
    expect(await stores.owner('operator_files').where({ operator: 'thief' }).pluck('id')).to.have.members(
      flood.slice(-5),
    );
    expect(await findFile(stores.database, 'ada', kept)).to.include({ id: kept });
    expect(await findFile(stores.database, 'thief', kept)).to.equal(undefined);
  });

  it('the event loop: bodies nested too deep, or of too many values, are refused before they are parsed', async () => {
    const deep = '['.repeat(100_000);
    const many = `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`;
    const long = `[${'1,'.repeat(300_000)}1]`;
    for (const text of [deep, '{"a":'.repeat(100_000), many, long, `[${many}]`])
      expect(() => parseJson(text)).to.throw(/nested|too many/);
    const row = { text: 'a, "quoted" \\ {[ text', list: [1, [2, { three: [] }]] };
    expect(parseJson(JSON.stringify([row, row]))).to.deep.equal([row, row]);
    expect(() => parseJson('{"__proto__": {"a": 1}, "b": 2}')).to.throw(/__proto__/);
    for (const text of ['1', '"a"', '{', 'null', '[1,]'])
      expect(() => parseJson(text), text).to.throw(SyntaxError);
    expect((await post({ intent: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) })).status).to.equal(400);
  });
});
