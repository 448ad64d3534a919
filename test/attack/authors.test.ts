import { expect } from 'chai';
import { v4 } from 'uuid';
import { type Login, logins } from '../../migrations/rights.ts';
import { addKeys, revokeKeyAsOperator } from '../../src/cappers/key-changes.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { signedBytes } from '../../src/proof/capper-key.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519, formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { startApi } from '../support/api.ts';
import { type AuthorKey, firstKey, intents, keyToAdd, newAuthorKey, signedPost } from '../support/author.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

/** `npm run attack` forges a thousand picks in each way, `npm test` a few. */
const isFull = process.env.ATTACK === 'full';
const forgedByToken = isFull ? 1_000 : 40;
const forgedByLogin = isFull ? 1_000 : 20;

const seed = Buffer.alloc(32, 9);
const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };
const ways = [
  'copied',
  'stranger',
  'unregistered',
  'revoked',
  'unsigned',
  'unendorsed',
  'set aside',
] as const;

describe('forged picks of a capper with a key', function () {
  this.timeout(isFull ? 1_800_000 : 300_000);
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const capper = { id: 0, handle: 'ada' };
  const clock = { now: () => Date.now() };
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  const game = { sport: 'soccer', game: 'Hawks @ Otters', startsAt };
  let gameId: number;
  let device: AuthorKey;
  let stolen: AuthorKey;
  let honest: string;

  const intent = intents(startsAt, { odds_american: 900 });

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capper.id = id;
    [{ id: gameId }] = await stores
      .owner('games')
      .insert({ sport: game.sport, name: game.game, announced_start: startsAt, starts_at: startsAt })
      .returning('id');
    const now = Date.now();
    device = await firstKey(stores.database, capper, now);
    stolen = await newAuthorKey();
    await addKeys(
      stores.database,
      capper,
      [await keyToAdd('ada', stolen, now, { endorser: device })],
      undefined,
      now,
    );
    await revokeKeyAsOperator(stores.database, capper, stolen.id, now);
    const posted = await postSigned(stores.database, await signedPost(device, intent()), Date.now());
    if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
    honest = posted.pickUuid;
  });

  /** Tries to store a pick under a login. @returns whether it is stored */
  async function forge(
    login: Database,
    way: (typeof ways)[number],
    { unendorsed, aside }: { unendorsed: AuthorKey; aside: AuthorKey },
  ): Promise<boolean> {
    const made = intent();
    const keys = {
      copied: device,
      stranger: device,
      unregistered: unendorsed,
      revoked: stolen,
      unendorsed,
      'set aside': aside,
    };
    const named = way === 'unregistered' ? await newAuthorKey() : way === 'unsigned' ? undefined : keys[way];
    const signer = way === 'stranger' ? await newAuthorKey() : named;
    const what = way === 'copied' ? { ...made, odds_american: -110 } : made;
    const signature = await signer?.sign(signedBytes('pick-intent/v1', what));
    const author = named && {
      author_key: named.id,
      author_nonce: made.nonce,
      author_at: made.at,
      author_signature: signature,
    };
    try {
      await login('picks').insert({
        uuid: v4(),
        capper_id: capper.id,
        tier: 'listed',
        market: made.market,
        game_id: gameId,
        starts_at: startsAt,
        subject: made.subject,
        side: 'yes',
        pick: 'Yes',
        odds_american: 900,
        stake_e4: 10_000,
        source: named === undefined ? 'operator' : 'author',
        provenance: 'live',
        posted_at: new Date(),
        ...author,
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Tries to add a key that none of the capper's keys has endorsed. @param endorsement an invalid one */
  async function plant(login: Database, endorsement?: string): Promise<AuthorKey> {
    const key = await newAuthorKey();
    const { at, possession } = await keyToAdd('ada', key, Date.now());
    const row = { capper_id: capper.id, action: 'add', key: key.key, key_id: key.id, purpose: 'device' };
    const endorsed = endorsement === undefined ? {} : { endorsed_by: device.id, endorsement };
    await login('capper_keys')
      .insert({ ...row, ...endorsed, first: false, at, made_by: 'capper', possession, stored_at: new Date() })
      .catch(() => undefined);
    return key;
  }

  it("are distinguishable from the capper's own in every verified receipt and monitored log", async () => {
    const operator = await startOperator({ database: stores, redis }, clock);
    const rows = Array.from({ length: forgedByToken }, (_, n) => ({
      capperHandle: 'ada',
      ...game,
      market: 'question',
      subject: `Token ${n}`,
      side: 'yes',
      pick: 'Yes',
      oddsAmerican: 900,
      stakeUnits: 1,
      author: { key: device.id },
      authorKey: device.id,
      postedBy: 'author',
    }));
    try {
      const answer = await fetch(`${operator.address}/picks`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer the-token-of-these-tests' },
        body: JSON.stringify(rows),
      });
      const { counts } = (await answer.json()) as { counts: Record<string, number> };
      expect((counts.added ?? 0) + (counts.refused ?? 0)).to.equal(forgedByToken);
      expect(counts.added).to.be.greaterThan(0);
    } finally {
      await operator.close();
    }

    const keysAside = new Set<string>();
    const stored: Partial<Record<Login | 'owner', number>> = {};
    for (const name of [...logins, 'owner'] as const) {
      const login =
        name === 'owner' ? stores.owner : openDatabase(asLogin(stores.ownerUrl, name), { connections: 2 });
      try {
        const foreign = await keyToAdd('ada', stolen, Date.now());
        const planted = { unendorsed: await plant(login), aside: await plant(login, foreign.possession) };
        keysAside.add(planted.aside.id);
        for (let n = 0; n < forgedByLogin; n += 1)
          if (await forge(login, ways[n % ways.length]!, planted)) stored[name] = (stored[name] ?? 0) + 1;
      } finally {
        if (login !== stores.owner) await login.destroy();
      }
    }
    expect(Object.keys(stored).sort()).to.deep.equal(['ingest', 'operator', 'owner', 'web']);

    await sealAll(stores.database);
    await publishCheckpoint(stores.database, publisher, Date.now());
    const aside = await eventsSetAside(stores.database);
    for (const { kind, reason } of aside)
      expect(reason).to.match(
        kind === 'capper_key'
          ? /endors/
          : /the signature does not match this pick|its key is not a key of ada/,
      );
    expect(aside.filter(({ kind }) => kind === 'capper_key')).to.have.length(3);
    expect(
      await stores
        .owner('ledger_entries as e')
        .join('picks as p', 'p.id', 'e.pick_id')
        .whereIn('p.author_key', [...keysAside]),
    ).to.deep.equal([]);
    expect(await stores.owner('picks').whereIn('author_key', [...keysAside])).not.to.deep.equal([]);

    const { key } = await signerFromSeed('picks.example/ledger', ED25519, seed);
    const site = await startApi({ database: stores, redis }, { clock });
    try {
      const log = openLog(site.address);
      const state = newState('picks.example/ledger', [formatVerifierKey(key)]);
      const { findings } = await poll(log, state, { now: Date.now(), history: true });
      const messages = findings.filter(
        ({ kind }) => kind === 'operator' || kind === 'author' || kind === 'capper_key',
      );
      expect(messages.filter(({ message }) => message.includes(honest))).to.deep.equal([]);
      const sealed: { uuid: string; authorKey: string | null }[] = await stores
        .owner('ledger_entries as e')
        .join('picks as p', 'p.id', 'e.pick_id')
        .where('e.kind', 'posted')
        .select({ uuid: 'p.uuid', authorKey: 'p.author_key' });
      expect(sealed.length).to.be.greaterThan(forgedByToken / 2);
      const listed = new Set(messages.flatMap(({ message }) => /^pick (\S+) /.exec(message)?.[1] ?? []));
      for (const { uuid, authorKey } of sealed) {
        const found = await verifyReceipt((await receiptOf(stores.database, uuid))!, { keys: [key] });
        const details = found.steps.map(({ detail }) => detail).join(' ');
        expect(found.proof, details).to.equal('ok');
        if (uuid === honest) {
          expect(found.verdicts.postedBy).to.equal('author');
          expect(details).not.to.match(/no earlier key of the capper signed for it/);
        } else if (authorKey === null) {
          expect(found.verdicts.postedBy).to.equal('operator');
          expect(listed.has(uuid), uuid).to.equal(true);
        } else {
          expect(details).to.match(/no earlier key of the capper signed for it/);
        }
      }
      const planted = new Set(
        sealed.map(({ authorKey }) => authorKey).filter((id) => id !== null && id !== device.id),
      );
      expect(planted.size).to.be.greaterThan(0);
      const unendorsed = messages.filter(({ message }) =>
        /without an endorsement by an earlier key of the capper/.test(message),
      );
      expect(unendorsed.length).to.be.at.least(planted.size);
    } finally {
      await site.close();
    }
  });
});
