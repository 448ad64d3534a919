import { expect } from 'chai';
import { newState, poll } from '../../src/monitor/follow.ts';
import { bodyHash, type CapperKeyBody, type PickBody } from '../../src/proof/bodies.ts';
import { type KeyStatement, type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import type { Entry } from '../../src/proof/entry.ts';
import { examplePick, ORIGIN } from '../proof/example-log.ts';
import { type AuthorKey, newAuthorKey } from '../support/author.ts';
import { createMemoryLog, type MemoryLog, post, trusted } from './memory-log.ts';

/** Before the games of the example picks. */
const now = Date.parse('2026-03-01T12:40:00Z');

interface KeyOptions {
  action?: KeyStatement['action'];
  purpose?: KeyStatement['purpose'];
  endorser?: AuthorKey;
  first?: boolean;
  /** Signs instead of the key itself. */
  possessor?: AuthorKey;
}

/** Adds an entry that adds or revokes a key of ada. */
async function keyEntry(
  log: MemoryLog,
  key: AuthorKey,
  { action = 'add', purpose = 'device', endorser, first = false, possessor = key }: KeyOptions = {},
): Promise<Entry> {
  const at = '2026-03-01T10:00:00.000Z';
  const message = signedBytes('key-statement/v1', {
    origin: ORIGIN,
    capper: 'ada',
    action,
    key: key.key,
    purpose,
    at,
  });
  const body: CapperKeyBody = {
    v: 1,
    capper: 'ada',
    action,
    key: key.key,
    purpose,
    first,
    at,
    by: action === 'revoke' && endorser === undefined ? 'operator' : 'capper',
    possession: action === 'add' ? await possessor.sign(message) : null,
    endorsed_by: endorser?.id ?? null,
    endorsement: endorser === undefined ? null : await endorser.sign(message),
  };
  return log.add({ kind: 'capper_key', hash: bodyHash('capper_key', body) }, body);
}

/** Signs the fields of a pick as its author. */
async function signedFields(
  n: number,
  key: AuthorKey,
  {
    capper = 'ada',
    nonce = `a-nonce-of-pick-${n}`,
    signer = key,
    ...changes
  }: Partial<PickIntent> & { signer?: AuthorKey } = {},
): Promise<Partial<PickBody>> {
  const pick = examplePick(n, { capper, capper_seq: n, capper_prev: n === 1 ? null : '0'.repeat(64) });
  const { sport, game, starts_at, market, subject, side, line_e3, odds_american, stake_e4, book } = pick;
  const at = pick.posted_at;
  const intent: PickIntent = {
    origin: ORIGIN,
    capper,
    sport,
    game,
    starts_at: starts_at!,
    day: null,
    market,
    subject,
    side,
    line_e3,
    pick: pick.pick,
    odds_american,
    stake_e4,
    book,
    nonce,
    at,
    ...changes,
  };
  const signature = await signer.sign(signedBytes('pick-intent/v1', intent));
  return { author: { key: key.id, nonce, at, signature, subject: null } };
}

describe("a monitor of cappers' keys", () => {
  let log: MemoryLog;
  let device: AuthorKey;

  const findings = async () =>
    (await poll(log.client(), newState(ORIGIN, [trusted]), { now, history: true })).findings
      .filter(({ kind }) => kind === 'author' || kind === 'capper_key' || kind === 'operator')
      .map(({ kind, seq, message }) => ({ kind, seq, message }));

  beforeEach(async () => {
    log = createMemoryLog();
    device = await newAuthorKey();
    await keyEntry(log, device, { first: true });
  });

  it('finds nothing in keys that endorse each other and in picks that they sign', async () => {
    const phone = await newAuthorKey();
    const recovery = await newAuthorKey();
    await keyEntry(log, recovery, { purpose: 'recovery', endorser: device });
    await keyEntry(log, phone, { endorser: recovery });
    post(log, 'ada', 1, 1, await signedFields(1, device));
    post(log, 'ada', 2, 2, await signedFields(2, phone));
    await keyEntry(log, device, { action: 'revoke', endorser: recovery });
    post(log, 'bob', 1, 3);
    expect(await findings()).to.deep.equal([]);
  });

  it('reports unendorsed keys, keys without their own signature, and a second first key', async () => {
    const [unendorsed, unsigned, second] = await Promise.all([1, 2, 3].map(newAuthorKey));
    await keyEntry(log, unendorsed!);
    await keyEntry(log, unsigned!, { endorser: device, possessor: unendorsed! });
    await keyEntry(log, second!, { first: true });
    await keyEntry(log, await newAuthorKey(), { endorser: await newAuthorKey() });
    const found = await findings();
    expect(found.map(({ kind, seq }) => [kind, seq])).to.deep.equal([
      ['capper_key', 1],
      ['capper_key', 2],
      ['capper_key', 3],
      ['capper_key', 4],
    ]);
    for (const [at, sentence] of [
      /without an endorsement by an earlier key of the capper/,
      /has not signed the statement that adds it/,
      /claims to be the first one, but/,
      /its endorser is unknown/,
    ].entries())
      expect(found[at]?.message).to.match(sentence);
  });

  const wrongPicks: [what: string, prepare: () => Promise<Partial<PickBody>>, sentence: RegExp][] = [
    ['an unknown key', async () => signedFields(1, await newAuthorKey()), /which is not in the log/],
    [
      'a revoked key',
      async () => {
        await keyEntry(log, device, { action: 'revoke' });
        return signedFields(1, device);
      },
      /had been revoked/,
    ],
    [
      'a recovery key',
      async () => {
        const recovery = await newAuthorKey();
        await keyEntry(log, recovery, { purpose: 'recovery', endorser: device });
        return signedFields(1, recovery);
      },
      /a recovery key/,
    ],
    [
      'the signature of another key',
      async () => signedFields(1, device, { signer: await newAuthorKey() }),
      /the signature does not match this pick/,
    ],
    [
      'other odds than the signed ones',
      () => signedFields(1, device, { odds_american: 500 }),
      /does not match this pick/,
    ],
  ];
  for (const [what, prepare, sentence] of wrongPicks)
    it(`reports a pick with ${what}`, async () => {
      const { seq } = post(log, 'ada', 1, 1, await prepare());
      const found = await findings();
      expect(found.map((each) => [each.kind, each.seq])).to.deep.equal([['author', seq]]);
      expect(found[0]?.message).to.match(sentence);
    });

  it("reports a pick under another capper's key, under a later key, and with a reused nonce", async () => {
    const later = await newAuthorKey();
    post(log, 'bob', 1, 1, await signedFields(1, device, { capper: 'bob' }));
    post(log, 'ada', 1, 2, await signedFields(2, later));
    await keyEntry(log, later, { endorser: device });
    post(log, 'ada', 2, 3, await signedFields(3, device, { nonce: 'the-same-nonce-00' }));
    post(log, 'ada', 3, 4, await signedFields(4, device, { nonce: 'the-same-nonce-00' }));
    const found = await findings();
    expect(found.map(({ kind, seq }) => [kind, seq])).to.deep.equal([
      ['author', 1],
      ['author', 2],
      ['author', 5],
    ]);
    expect(found[0]?.message).to.match(/of ada$/);
    expect(found[1]?.message).to.match(/only later|not in the log/);
    expect(found[2]?.message).to.match(/reuses a nonce/);
  });

  it('lists the picks that the operator posted for a capper with a key, over several polls', async () => {
    const { state } = await poll(log.client(), newState(ORIGIN, [trusted]), { now });
    const { seq } = post(log, 'ada', 1, 1);
    const { findings: found } = await poll(log.client(), state, { now });
    expect(found.map((each) => [each.kind, each.seq])).to.deep.equal([['operator', seq]]);
  });
});
