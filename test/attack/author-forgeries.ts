import { v4 } from 'uuid';
import type { Login } from '../../migrations/rights.ts';
import { addKeys, makeInvite, revokeKeyAsOperator } from '../../src/cappers/key-changes.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database, Transaction } from '../../src/platform/database.ts';
import { type KeyStatement, type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import {
  type AuthorKey,
  firstKey,
  keyToAdd,
  newAuthorKey,
  signedPost,
  testOrigin,
} from '../support/author.ts';
import type { Attack, Remains } from './attacker.ts';

/** A capper with keys of their own, another one with a key, and one without. */
export interface Authors {
  capper: { id: number; handle: string };
  device: AuthorKey;
  recovery: AuthorKey;
  revoked: AuthorKey;
  foreign: AuthorKey;
  /** The id of the capper without a key. */
  keyless: number;
}

/** Gives cappers keys, and one of them an invitation that nobody has used. */
export async function addAuthors(database: Database): Promise<Authors> {
  const now = Date.now();
  const rows: { id: number; handle: string }[] = await database('cappers')
    .whereIn('handle', ['capper-1', 'capper-2', 'capper-3'])
    .orderBy('handle')
    .select('id', 'handle');
  const [keyless, other, capper] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
  const foreign = await firstKey(database, other, now);
  const device = await firstKey(database, capper, now);
  const [recovery, revoked] = [await newAuthorKey(), await newAuthorKey()];
  const added = [
    await keyToAdd(capper.handle, recovery, now, { purpose: 'recovery', endorser: device }),
    await keyToAdd(capper.handle, revoked, now, { endorser: device }),
  ];
  await addKeys(database, capper, added, undefined, now);
  await revokeKeyAsOperator(database, capper, revoked.id, now);
  await makeInvite(database, capper.id, now);
  return { capper, device, recovery, revoked, foreign, keyless: keyless.id };
}

/** Posts a pick that a capper signs with the key of a device. */
export async function postQuestion(
  database: Database,
  capper: string,
  device: AuthorKey,
  { sport, game, startsAt }: { sport: string; game: string; startsAt: string },
): Promise<void> {
  const intent: PickIntent = {
    origin: testOrigin,
    capper,
    sport,
    game,
    starts_at: startsAt,
    day: null,
    market: 'question',
    subject: `A question of ${capper}`,
    side: 'yes',
    line_e3: null,
    pick: 'Yes',
    odds_american: 150,
    stake_e4: 10_000,
    book: null,
    nonce: 'nonce-of-one-question',
    at: new Date().toISOString(),
  };
  const posted = await postSigned(database, await signedPost(device, intent), Date.now());
  if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
}

type Row = Record<string, string | number | boolean | null>;

function insertOf(table: string, row: Row): string {
  const literal = (value: Row[string]) =>
    typeof value === 'string' && !value.startsWith('sql:')
      ? `'${value.replaceAll("'", "''")}'`
      : String(value).replace(/^sql:/, '');
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`;
}

const inherent = (sentence: string): Remains => ({ result: 'inherent', sentence });
const strangers = (sentence: string): Remains => ({ result: 'found by strangers', sentence });

const unendorsed = strangers(
  'A key that no earlier key of its capper endorsed says so for good: receipts and monitors name it.',
);
const firstUse = inherent('The first key of a capper is trusted on first use.');
const revoking = inherent(
  "A login that stores keys may revoke a capper's key; its entry says that the operator did.",
);
const stolen = inherent('A stolen key of a capper signs picks, or adds keys that do, until it is revoked.');
const unsigned = strangers(
  'A pick that its capper did not sign says `operator`, and monitors list it if the capper has a key.',
);
const invitations = inherent(
  'The login of the web process may use up an invitation; the operator makes another.',
);
const hidden = inherent(
  'The login of the web process may hide a profile behind later ones that nobody signed.',
);

const present = `sql:date_trunc('milliseconds', clock_timestamp())`;

/** Signed picks, keys, invitations, and profiles with a false field, by each login that stores such rows. */
export async function* authorForgeries(
  owner: Database,
  authors: Authors,
  game: { sport: string; game: string; startsAt: string },
): AsyncGenerator<Attack> {
  yield* signedPicks(owner, authors, game);
  yield* keys(authors);
  yield* invites(authors);
  yield* profiles(authors);
}

const sealed = { afterwards: (transaction: Transaction) => sealAll(transaction) };

async function* signedPicks(
  owner: Database,
  { capper, device, recovery, revoked, foreign }: Authors,
  { sport, game, startsAt }: { sport: string; game: string; startsAt: string },
): AsyncGenerator<Attack> {
  const { id: gameId } = await owner('games').where({ sport, name: game }).first('id');
  const { tier } = await owner('cappers').where({ id: capper.id }).first('tier');
  const at = new Date().toISOString();
  const intent: PickIntent = {
    origin: testOrigin,
    capper: capper.handle,
    sport,
    game,
    starts_at: startsAt,
    day: null,
    market: 'question',
    subject: 'A question',
    side: 'yes',
    line_e3: null,
    pick: 'Yes',
    odds_american: 150,
    stake_e4: 10_000,
    book: null,
    nonce: 'nonce-of-an-attack-1',
    at,
  };
  const rowOf = async (key: AuthorKey, signer = key): Promise<Row> => ({
    uuid: v4(),
    capper_id: capper.id,
    tier,
    game_id: gameId,
    starts_at: startsAt,
    market: 'question',
    subject: 'A question',
    side: 'yes',
    line_e3: null,
    pick: 'Yes',
    odds_american: 150,
    stake_e4: 10_000,
    book: null,
    source: 'author',
    provenance: 'live',
    posted_at: present,
    author_key: key.id,
    author_nonce: intent.nonce,
    author_at: at,
    author_signature: await signer.sign(signedBytes('pick-intent/v1', intent)),
  });
  const truth = await rowOf(device);
  const nobody = { author_key: null, author_nonce: null, author_at: null, author_signature: null };
  const changes: Record<string, Row[]> = {
    author_key: [
      await rowOf(foreign),
      await rowOf(revoked),
      await rowOf(recovery),
      await rowOf(await newAuthorKey()),
    ],
    author_signature: [await rowOf(device, foreign), { author_signature: null }],
    author_nonce: [{ author_nonce: 'nonce-of-an-attack-2' }, { author_nonce: 'short' }],
    author_at: [
      { author_at: new Date(Date.parse(at) + 1).toISOString() },
      { author_at: '2020-01-01T00:00:00.000Z' },
      { author_at: '2030-01-01T00:00:00.000Z' },
    ],
    odds_american: [{ odds_american: 900 }],
    stake_e4: [{ stake_e4: 50_000 }],
    side: [{ side: 'no' }],
    capper_id: [{ capper_id: `sql:(select max(id) from cappers where id <> ${capper.id})` }],
    provenance: [{ provenance: 'imported' }],
  };
  for (const login of ['web', 'operator', 'ingest'] as const) {
    for (const [column, rows] of Object.entries(changes))
      for (const row of rows)
        yield {
          kind: `forged picks.${column} of a signed pick`,
          login,
          statements: [insertOf('picks', { ...truth, ...row, uuid: v4() })],
          ...sealed,
        };
    yield {
      kind: 'posted a signed pick again',
      login,
      statements: [insertOf('picks', truth), insertOf('picks', { ...truth, uuid: v4() })],
      ...sealed,
    };
    yield {
      kind: 'posted an unsigned pick of a capper with a key',
      login,
      statements: [insertOf('picks', { ...truth, ...nobody, source: 'operator' })],
      ...sealed,
      remains: unsigned,
    };
    yield {
      kind: 'signed with a stolen key',
      login,
      statements: [insertOf('picks', { ...truth, uuid: v4() })],
      ...sealed,
      remains: stolen,
    };
  }
}

async function* keys({
  capper,
  device,
  recovery,
  revoked,
  foreign,
  keyless,
}: Authors): AsyncGenerator<Attack> {
  const now = Date.now();
  const added = async (
    endorser?: AuthorKey,
    purpose: KeyStatement['purpose'] = 'device',
    handle = capper.handle,
  ) => {
    const key = await newAuthorKey();
    const { endorsedBy, ...given } = await keyToAdd(handle, key, now, {
      purpose,
      ...(endorser && { endorser }),
    });
    return {
      capper_id: capper.id,
      action: 'add',
      key_id: key.id,
      first: false,
      made_by: 'capper',
      ...given,
      endorsed_by: endorsedBy,
      stored_at: present,
    } satisfies Row;
  };
  const truth = await added(device);
  const other = await added(device);
  const revocation = (key: AuthorKey): Row => ({
    capper_id: capper.id,
    action: 'revoke',
    key: key.key,
    key_id: key.id,
    purpose: 'device',
    first: false,
    at: new Date(now).toISOString(),
    made_by: 'operator',
    possession: null,
    endorsed_by: null,
    endorsement: null,
    stored_at: present,
  });
  const forged: Record<string, Row[]> = {
    possession: [{ ...truth, possession: other.possession }],
    endorsement: [
      { ...truth, endorsement: other.endorsement },
      { ...truth, endorsement: null },
    ],
    endorsed_by: [await added(foreign), await added(revoked), { ...truth, endorsed_by: foreign.id }],
    first: [
      { ...(await added()), first: true },
      { ...truth, first: true },
    ],
    purpose: [{ ...truth, purpose: 'recovery' }],
    at: [{ ...truth, at: '2020-01-01T00:00:00.000Z' }],
    key: [{ ...truth, key: other.key, key_id: other.key_id }],
    key_id: [{ ...truth, key_id: other.key_id }],
    made_by: [
      { ...truth, made_by: 'operator' },
      { ...revocation(device), made_by: 'capper' },
    ],
    capper_id: [
      { ...truth, capper_id: keyless },
      { ...revocation(device), capper_id: keyless },
    ],
    action: [
      { ...revocation(await newAuthorKey()) },
      {
        ...revocation(device),
        made_by: 'capper',
        endorsed_by: recovery.id,
        endorsement: other.endorsement,
      },
    ],
  };
  for (const login of ['web', 'operator'] as const) {
    for (const [column, rows] of Object.entries(forged))
      for (const row of rows)
        yield {
          kind: `forged capper_keys.${column}`,
          login,
          statements: [insertOf('capper_keys', row)],
          ...sealed,
        };
    const remaining: [string, Row, Remains][] = [
      ['added a key without an endorsement', await added(), unendorsed],
      [
        'registered the first key of another',
        { ...(await added(undefined, 'device', 'capper-1')), capper_id: keyless, first: true },
        firstUse,
      ],
      ['revoked a key as the operator', revocation(device), revoking],
      ['added a device with a stolen recovery key', await added(recovery), stolen],
    ];
    for (const [kind, row, remains] of remaining)
      yield { kind, login, statements: [insertOf('capper_keys', row)], ...sealed, remains };
  }
}

function* invites({ capper }: Authors): Generator<Attack> {
  const made: Row = {
    capper_id: capper.id,
    token_hash: `sql:sha256('known')`,
    made_at: 'sql:clock_timestamp()',
    expires_at: `sql:clock_timestamp() + interval '7 days'`,
  };
  const attacks: [Login, string, string, Remains?][] = [
    ['operator', 'made an invitation', insertOf('capper_invites', made), unendorsed],
    ['web', 'made an invitation', insertOf('capper_invites', made)],
    ['operator', 'used an invitation again', 'update capper_invites set used_at = null'],
    [
      'web',
      'used an invitation again',
      'update capper_invites set used_at = null where used_at is not null',
      unendorsed,
    ],
    ['web', 'used up invitations', 'update capper_invites set used_at = clock_timestamp()', invitations],
    ['web', 'forged capper_invites.token_hash', `update capper_invites set token_hash = sha256('known')`],
    ['web', 'forged capper_invites.expires_at', `update capper_invites set expires_at = '2099-01-01'`],
    ['web', 'removed invitations', 'delete from capper_invites'],
  ];
  for (const [login, kind, statement, remains] of attacks)
    yield { kind, login, statements: [statement], ...(remains && { remains }) };
}

function* profiles({ capper, device }: Authors): Generator<Attack> {
  const row: Row = {
    capper_id: capper.id,
    key_id: device.id,
    display_name: 'Somebody',
    link: null,
    about: null,
    at: '2030-01-01T00:00:00.000Z',
    signature: `${'A'.repeat(86)}==`,
    stored_at: present,
  };
  for (const login of ['web', 'operator'] as const)
    yield {
      kind: 'forged a profile',
      login,
      statements: [insertOf('capper_profiles', row)],
      remains: hidden,
    };
}
