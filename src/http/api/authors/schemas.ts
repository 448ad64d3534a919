import type { TSchema } from 'typebox';
import { priceCheckSchema } from '../../../boards/pick.ts';
import { describedSchema } from '../../../intake/kind.ts';
import { kinds } from '../../../intake/kinds.ts';
import { maxChecked } from '../../../ledger/grading/check-picks.ts';
import { Field } from '../../../platform/field-schemas.ts';
import { orNull, plainText } from '../../../platform/fields.ts';
import { nullable } from '../../../platform/schema.ts';
import { Type } from '../../../platform/type.ts';
import { patterns } from '../../../rules/vocabulary.ts';

const strict = { additionalProperties: false };

/** Declares text that is signed. It is not normalized, because the signature covers its exact characters. */
function signedText(minLength: number, maxLength: number) {
  const { normalForm, ...schema } = plainText(minLength, maxLength) as TSchema as Record<string, unknown>;
  return schema as unknown as ReturnType<typeof plainText>;
}

/** An instant in the form that statements use. */
const instant = Type.String({
  maxLength: 24,
  pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$',
  must: 'an instant such as 2026-01-10T17:05:00.000Z',
});

export const keyId = Type.String({
  maxLength: 64,
  pattern: '^[0-9a-f]{64}$',
  must: 'the ID of a key: 64 lower-case hex digits',
  description: "The SHA-256 hash of the key's 32 bytes, in hex.",
});

const publicKey = Type.String({
  maxLength: 44,
  pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
  must: 'an Ed25519 public key in base64',
});

const signature = Type.String({
  maxLength: 88,
  pattern: '^[A-Za-z0-9+/]{85}[AQgw]==$',
  must: 'an Ed25519 signature in base64',
});

const nonce = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]{16,64}$',
  must: '16 to 64 letters, digits, hyphens, or underscores',
});

const purpose = Type.Enum(['device', 'recovery'], {
  must: 'device or recovery',
  description: 'A `device` signs picks. `recovery` signs only for other keys.',
});

const at = {
  ...instant,
  description: 'When it was signed, at most two minutes from the clock of the service.',
};

const origin = Type.String({
  maxLength: 200,
  pattern: '^[^\\s+]{1,200}$',
  must: "the log's name, without spaces",
  description: 'The name of the log that the statement is made for: `origin` of `/ledger/key`.',
});

const keyToAdd = Type.Object(
  {
    key: publicKey,
    purpose,
    at,
    possession: { ...signature, description: 'The signature of the key itself.' },
    endorsed_by: orNull(keyId),
    endorsement: orNull(signature),
  },
  strict,
);

export const addKeysBody = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z0-9_-]{1,100}$',
        must: 'the token of an invitation',
        description: 'Of an invitation. Without one, each key must be endorsed.',
      }),
    ),
    origin: Type.Optional(origin),
    keys: Type.Array(keyToAdd, { minItems: 1, maxItems: 4 }),
  },
  strict,
);

export const revokeKeyBody = Type.Object(
  {
    at,
    endorsed_by: keyId,
    endorsement: signature,
    origin: Type.Optional(origin),
    additions: Type.Optional(
      Type.Array(Type.Object({ id: keyId, endorsement: signature }, strict), {
        maxItems: 16,
        description:
          'Keys that it added, directly or through others, to revoke with it. Each is signed for, with the same `at`.',
      }),
    ),
  },
  strict,
);

const handle = Type.String({ maxLength: 32, pattern: patterns.handle, must: 'a handle' });
const day = Type.String({ format: 'date', must: 'a date such as 2026-11-27, or null' });
const slug = Type.String({ maxLength: 40, pattern: '^[a-z0-9][a-z0-9_-]{0,39}$', must: 'a slug' });
const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, must: `a whole number from ${minimum} to ${maximum}`, description });

const intent = Type.Object(
  {
    origin,
    capper: handle,
    sport: slug,
    game: signedText(3, 200),
    starts_at: { ...instant, description: 'The present start of the game.' },
    day: nullable({
      ...day,
      description: 'The day of a game that was announced without a start, else null.',
    }),
    market: slug,
    subject: nullable(signedText(1, 80)),
    side: slug,
    line_e3: nullable(integer(-9_999_000, 9_999_000, 'Thousandths of a point.')),
    pick: signedText(1, 300),
    odds_american: integer(-100_000, 100_000, 'American odds.'),
    stake_e4: integer(100, 1_000_000, 'Ten-thousandths of a unit.'),
    book: nullable(slug),
    nonce: { ...nonce, description: 'Chosen by the author. It counts once for a key.' },
    at,
  },
  { ...strict, title: 'PickIntent', description: 'A pick as its author signs it.' },
);

export const postPickBody = Type.Object({ intent, key: keyId, signature }, strict);

const profile = Type.Object(
  {
    origin,
    capper: handle,
    display_name: nullable(signedText(1, 60)),
    link: nullable(
      Type.String({
        maxLength: 200,
        pattern: '^https://[!-~]+$',
        must: 'an https address of at most 200 characters, or null',
      }),
    ),
    about: nullable(signedText(1, 280)),
    at,
  },
  { ...strict, title: 'Profile', description: 'What a capper says about themselves, as they sign it.' },
);

export const profileBody = Type.Object({ profile, key: keyId, signature }, strict);

export const profileSchema = Type.Object({
  profile: nullable(profile),
  key: nullable(keyId),
  signature: nullable(signature),
});

const shownInstant = Field.instant();

export const keySchema = Type.Object(
  {
    id: keyId,
    fingerprint: Field.text('The first 16 digits of the ID, for people to compare.'),
    key: Field.text('The public key, in base64.'),
    purpose,
    addedAt: shownInstant,
    first: Field.flag("Whether it is the capper's first key, which is trusted on first use."),
    endorsedBy: nullable(keyId),
    revokedAt: nullable(shownInstant),
    by: nullable(Type.Enum(['capper', 'operator'], { description: 'Who revoked it.' })),
  },
  { title: 'CapperKey', description: 'A public key of a capper.' },
);

const shownOrigin = Field.orNull.text(
  'The name of the log, which every statement names that a capper signs.',
);

export const keysSchema = Type.Object({
  origin: shownOrigin,
  capper: Field.text(),
  count: Type.Integer({ minimum: 0 }),
  keys: Type.Array(keySchema),
});

export const postedSchema = Type.Object({
  outcome: Type.Enum(['added', 'unchanged']),
  pickUuid: Field.uuid(),
  postedAt: shownInstant,
  url: Field.text("The address of the pick's page."),
  note: Type.Optional(Field.text()),
  priceCheck: Type.Optional(priceCheckSchema),
});

const pickToCheck = describedSchema(kinds.picks);

export const picksToCheck = Type.Union([pickToCheck, Type.Array(pickToCheck, { maxItems: maxChecked })]);

export const checkedPicksSchema = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        index: Field.integer('Index of the pick in the request, from 0.'),
        outcome: Type.Enum(['accepted', 'refused']),
        reason: Type.Optional(Field.text('Reason why posting would refuse the pick.')),
        note: Type.Optional(Field.text('Remark about an accepted pick.')),
        repeats: Type.Optional(Field.text('ID of the pick that a refused pick repeats.')),
        priceCheck: Type.Optional(priceCheckSchema),
        priceAskedAt: Type.Optional(
          Field.orNull.instant(
            'When the service asks a provider for a price if the pick is posted now. Null: it knows one of the last 15 minutes, or asks nobody.',
          ),
        ),
        sentence: Type.Optional(
          Field.text('At which odds an accepted pick would count, for its author to read.'),
        ),
      }),
    ),
  },
  { title: 'CheckedPicks' },
);

const bet = {
  market: Field.text(),
  side: Field.text(),
  line: Field.orNull.number(),
  pick: Field.text('The selection in words.'),
  oddsAmerican: Field.orNull.integer(),
  book: Field.orNull.text(),
};
const ofGame = {
  sport: Field.text(),
  game: Field.text(),
  startsAt: shownInstant,
  day: nullable({ ...day, description: 'The day of a game that was announced without a start, else null.' }),
};

export const openGamesSchema = Type.Object({
  origin: shownOrigin,
  count: Type.Integer({ minimum: 0 }),
  games: Type.Array(
    Type.Object({
      ...ofGame,
      away: Field.text(),
      home: Field.text(),
      bets: Type.Array(
        Type.Object({
          ...bet,
          seenAt: nullable({ ...shownInstant, description: 'When the price was seen.' }),
        }),
      ),
    }),
  ),
});

export const readBetBody = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: 300, must: 'a text of 1 to 300 characters' }) },
  strict,
);

export const readBetSchema = Type.Object({
  origin: shownOrigin,
  why: Field.orNull.text('Why there are several bets, or none, or what to know about the one.'),
  count: Type.Integer({ minimum: 0 }),
  bets: Type.Array(
    Type.Object({
      ...ofGame,
      ...bet,
      subject: Field.orNull.text(),
      stakeUnits: Field.orNull.number(),
      words: Field.text('The whole bet in one line.'),
    }),
  ),
});
