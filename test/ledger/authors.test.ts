import { expect } from 'chai';
import { addKeys, makeInvite, revokeKey, revokeKeyAsOperator } from '../../src/cappers/key-changes.ts';
import { keysOfCapper } from '../../src/cappers/keys.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519, type VerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import {
  type AuthorKey,
  firstKey,
  intents,
  keyToAdd,
  newAuthorKey,
  signedPost,
  testOrigin,
} from '../support/author.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';

const seed = Buffer.alloc(32, 9);
const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };

describe('picks signed by their author', () => {
  const stores = withDatabase({ kind: 'live' });
  const capper = { id: 0, handle: 'ada' };
  const other = { id: 0, handle: 'bea' };
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  let device: AuthorKey;

  const intent = intents(startsAt);
  const post = async (key: AuthorKey, changes: Partial<PickIntent> = {}) =>
    postSigned(stores.database, await signedPost(key, intent(changes)), Date.now());

  before(async () => {
    for (const one of [capper, other]) {
      const [{ id }] = await stores
        .owner('cappers')
        .insert({ handle: one.handle, tier: 'listed', verified: true, created_at: new Date() })
        .returning('id');
      one.id = id;
    }
    await stores.owner('games').insert({
      sport: 'soccer',
      name: 'Hawks @ Otters',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    device = await firstKey(stores.database, capper, Date.now());
  });

  it('prove their author in a receipt that verifies offline', async () => {
    const posted = await post(device);
    if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
    await sealAll(stores.database);
    await publishCheckpoint(stores.database, publisher, Date.now());
    const receipt = (await receiptOf(stores.database, posted.pickUuid)) as SealedReceipt;
    const { key } = await signerFromSeed('picks.example/ledger', ED25519, seed);
    const trust: { keys: VerifierKey[] } = { keys: [key] };
    const found = await verifyReceipt(receipt, trust);
    expect(found.failed).to.equal(null);
    expect(found.verdicts.postedBy).to.equal('author');

    const stranger = await newAuthorKey();
    const author = receipt.pick.author!;
    const forgeries: [string, SealedReceipt][] = [
      ['without the key', { ...receipt, proof: { ...receipt.proof, keys: [] } }],
      [
        'with a key that the log does not have',
        {
          ...receipt,
          proof: {
            ...receipt.proof,
            keys: receipt.proof.keys.map((proof) => ({
              ...proof,
              body: { ...proof.body, key: stranger.key },
            })),
          },
        },
      ],
      [
        'with another signature',
        { ...receipt, pick: { ...receipt.pick, author: { ...author, nonce: 'another-nonce-000' } } },
      ],
    ];
    for (const [what, forged] of forgeries)
      expect((await verifyReceipt(forged, trust)).proof, what).to.equal('failed');
  });

  it('are stored once, however often they are sent', async () => {
    const signed = await signedPost(device, intent());
    const answers = await Promise.all([1, 2, 3].map(() => postSigned(stores.database, signed, Date.now())));
    expect(answers.map(({ outcome }) => outcome).sort()).to.deep.equal(['added', 'unchanged', 'unchanged']);
    const reused = await signedPost(device, { ...signed.intent, odds_american: 500 });
    expect((await postSigned(stores.database, reused, Date.now())).outcome).to.equal('conflict');
  });

  it('are refused under a foreign, unknown, or revoked key, with a changed pick, or from a wrong clock', async () => {
    const foreign = await firstKey(stores.database, other, Date.now());
    const outcomes = {
      foreign: await post(foreign),
      unknown: await post(await newAuthorKey()),
      late: await post(device, { at: new Date(Date.now() - 180_000).toISOString() }),
      early: await post(device, { at: new Date(Date.now() + 180_000).toISOString() }),
      changed: await postSigned(
        stores.database,
        { ...(await signedPost(device, intent())), intent: intent({ odds_american: 400 }) },
        Date.now(),
      ),
    };
    for (const [what, { outcome }] of Object.entries(outcomes))
      expect(outcome, what).to.equal('unauthorized');
    const revoked = await newAuthorKey();
    const addition = await keyToAdd('ada', revoked, Date.now(), { endorser: device });
    await addKeys(stores.database, capper, [addition], undefined, Date.now());
    expect((await post(revoked)).outcome).to.equal('added');
    await revokeKeyAsOperator(stores.database, capper, revoked.id, Date.now());
    expect((await post(revoked)).outcome).to.equal('unauthorized');
  });

  it('are stored exactly as signed, or refused with the text to sign', async () => {
    const posted = await post(device, { market: 'ML', side: 'home', subject: null, pick: 'Otters' });
    expect(posted).to.include({ outcome: 'refused' });
    expect((posted as { reason: string }).reason).to.match(/market "moneyline"/);
    expect((await post(device, { starts_at: '2031-01-01T00:00:00.000Z' })).outcome).to.equal('refused');
  });

  it('name the day of a game that was announced without a start', async () => {
    const game = 'Gulls @ Foxes';
    const day = startsAt.slice(0, 10);
    await stores.owner('games').insert({ sport: 'soccer', name: game, day, starts_at: startsAt });
    const unsigned = await post(device, { game });
    expect((unsigned as { reason: string }).reason).to.include(`sign the pick with day "${day}"`);
    expect((await post(device, { game, day })).outcome).to.equal('added');
  });

  it('pass the audit', async () => {
    await sealAll(stores.database);
    await expectSoundLedger(stores.database);
    const findings: string[] = [];
    const { difference } = await audit(stores.owner, async () => undefined, {
      signing: { key: publisher.key },
      expected: expectedOfTests,
      onFinding: ({ message }) => findings.push(message),
    });
    expect([difference?.message, ...findings].filter((each) => each !== undefined)).to.deep.equal([]);
  });

  it('are set aside and never sealed if a login forges them', async () => {
    const honest = await signedPost(device, intent());
    const forge = async (columns: object) => {
      const [{ id }] = await stores
        .owner('picks')
        .insert({
          uuid: crypto.randomUUID(),
          capper_id: capper.id,
          tier: 'listed',
          market: 'question',
          game_id: stores.owner('games').where({ name: 'Hawks @ Otters' }).select('id'),
          starts_at: startsAt,
          subject: honest.intent.subject,
          side: 'yes',
          pick: 'Yes',
          odds_american: 900,
          stake_e4: 10_000,
          source: 'author',
          provenance: 'live',
          posted_at: new Date(),
          author_key: device.id,
          author_nonce: honest.intent.nonce,
          author_at: honest.intent.at,
          author_signature: honest.signature,
          ...columns,
        })
        .returning('id');
      return id as number;
    };
    const id = await forge({});
    await sealAll(stores.database);
    const aside = await eventsSetAside(stores.database);
    expect(aside.map(({ subjectId, reason }) => [subjectId, reason])).to.deep.equal([
      [
        id,
        `picks, pick ${(await stores.owner('picks').where({ id }).first('uuid')).uuid}, column author_signature: the signature does not match this pick in the log ${testOrigin}`,
      ],
    ]);
    const unsigned = { author_key: null, author_nonce: null, author_at: null, author_signature: null };
    expect(await forge(unsigned)).to.be.a('number');
  });
});

describe('the keys of a capper', () => {
  const stores = withDatabase({ kind: 'live' });
  const capper = { id: 0, handle: 'ada' };
  let device: AuthorKey;

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capper.id = id;
    device = await firstKey(stores.database, capper, Date.now());
  });

  const add = (
    ...args: Parameters<typeof addKeys> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => addKeys(stores.database, capper, ...args);

  it('start from an invitation that is valid once', async () => {
    const now = Date.now();
    const { token } = await makeInvite(stores.database, capper.id, now);
    const second = await newAuthorKey();
    await add([await keyToAdd('ada', second, now)], token, now);
    const third = await keyToAdd('ada', await newAuthorKey(), now);
    for (const wrong of [token, 'guessed-token-of-some-length'])
      expect(await add([third], wrong, now).catch((error: Error) => error.message)).to.match(
        /unknown, expired, or used/,
      );
    const { token: old } = await makeInvite(stores.database, capper.id, now - 8 * 86_400_000);
    expect(await add([third], old, now).catch((error: Error) => error.message)).to.match(/expired/);
    const keys = await keysOfCapper(stores.database, capper.id);
    expect(keys.map(({ first, endorsedBy }) => [first, endorsedBy])).to.deep.equal([
      [true, null],
      [false, null],
    ]);
  });

  it('grow by keys that earlier ones endorse, and by no others', async () => {
    const now = Date.now();
    const recovery = await newAuthorKey();
    await add(
      [await keyToAdd('ada', recovery, now, { purpose: 'recovery', endorser: device })],
      undefined,
      now,
    );
    const phone = await newAuthorKey();
    await add([await keyToAdd('ada', phone, now, { endorser: recovery })], undefined, now);
    const refusals = [
      [await keyToAdd('ada', await newAuthorKey(), now), /must endorse/],
      [
        await keyToAdd('ada', await newAuthorKey(), now, { endorser: await newAuthorKey() }),
        /not a valid key/,
      ],
      [
        { ...(await keyToAdd('ada', await newAuthorKey(), now, { endorser: device })), key: phone.key },
        /has not signed/,
      ],
      [await keyToAdd('ada', phone, now, { endorser: device }), /already known/],
      [await keyToAdd('ada', await newAuthorKey(), now - 180_000, { endorser: device }), /clock/],
    ] as const;
    for (const [key, message] of refusals)
      expect(await add([key], undefined, now).catch((error: Error) => error.message)).to.match(message);
  });

  it('can be revoked once by another key, and endorse nothing after that', async () => {
    const now = Date.now();
    const lost = await newAuthorKey();
    await add([await keyToAdd('ada', lost, now, { endorser: device })], undefined, now);
    const at = new Date(now).toISOString();
    const statement = {
      ...({
        origin: testOrigin,
        capper: 'ada',
        action: 'revoke',
        key: lost.key,
        purpose: 'device',
        at,
      } as const),
    } as const;
    const endorsement = await device.sign(signedBytes('key-statement/v1', statement));
    const revocation = { keyId: lost.id, at, endorsedBy: device.id, endorsement };
    await revokeKey(stores.database, capper, revocation, now);
    expect(
      await revokeKey(stores.database, capper, revocation, now).catch((error: Error) => error.message),
    ).to.match(/already revoked/);
    const next = await keyToAdd('ada', await newAuthorKey(), now, { endorser: lost });
    expect(await add([next], undefined, now).catch((error: Error) => error.message)).to.match(
      /not a valid key/,
    );
  });

  it('are sealed in the log, each with its signatures', async () => {
    await sealAll(stores.database);
    expect(await eventsSetAside(stores.database)).to.deep.equal([]);
    const bodies: string[] = await stores
      .database('ledger_entries')
      .where({ kind: 'capper_key' })
      .orderBy('seq')
      .pluck('body');
    expect(bodies).to.have.length(6);
    expect(JSON.parse(bodies[0]!)).to.include({ capper: 'ada', action: 'add', key: device.key, first: true });
  });

  it('are set aside if a login invents one', async () => {
    const made = await newAuthorKey();
    const forged = await keyToAdd('ada', made, Date.now(), { endorser: made });
    await stores.owner('capper_keys').insert({
      capper_id: capper.id,
      action: 'add',
      key: made.key,
      key_id: made.id,
      purpose: 'device',
      first: false,
      at: forged.at,
      made_by: 'capper',
      possession: forged.possession,
      stored_at: new Date(),
      endorsed_by: device.id,
      endorsement: forged.endorsement,
    });
    await sealAll(stores.database);
    // The log has nothing to revoke.
    await revokeKeyAsOperator(stores.database, capper, made.id, Date.now());
    await sealAll(stores.database);
    const [aside, revocation] = await eventsSetAside(stores.database);
    expect(aside?.reason).to.match(/its endorser has not signed the statement/);
    expect(revocation?.reason).to.match(/it revokes a key that its capper does not have/);
  });
});
