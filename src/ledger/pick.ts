import type { TSchema } from 'typebox';
import { handle } from '../cappers/cappers.ts';
import { americanOdds, gameFields, lineField, subject } from '../games/fields.ts';
import { instant as instantText, plainText, slug, slugOrNull } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { shownDecimal } from '../rules/odds.ts';
import type { Field, StoredFields } from './field.ts';
import {
  marketSchema,
  provenanceSchema,
  sideSchema,
  sourceLabel,
  sportSchema,
  tierSchema,
} from './schemas.ts';
import { day, id, instant, line, lowerCase, orNull, price, stake, text, uuid, word } from './value-types.ts';

const stakeUnits = Type.Number({
  minimum: 0.01,
  maximum: 100,
  multipleOf: 0.01,
  must: 'over 0 up to 100 units in steps of 0.01',
});

export interface PickField extends Field {
  /** Absent: the service fills the field in. */
  given?: TSchema;
  shown?: true;
}

/**
 * The fields of a posted pick, without its closing and settlement. `pick-forms.ts` derives SQL, the hashed body, input validation, and
 * every shown form from this table.
 */
export const pickFields = {
  uuid: {
    column: 'p.uuid',
    type: uuid,
    hashed: 'uuid',
    json: 'pickUuid',
    shown: true,
    about: 'The ID of the pick.',
    exported: 'uuid',
  },
  id: {
    column: 'p.id',
    type: id,
    hashed: 'id',
    json: 'id',
    shown: true,
    about: 'The number of the pick in the record: its page is `/record/<id>`.',
    exported: 'id',
  },
  capperId: {
    column: 'p.capper_id',
    type: id,
  },
  handle: {
    column: 'c.handle',
    type: lowerCase,
    hashed: 'capper',
    json: 'capperHandle',
    given: handle,
    shown: true,
    about: 'The handle of the capper.',
    exported: 'capper',
  },
  tier: {
    column: 'p.tier',
    type: word(tierSchema),
    hashed: 'tier',
    json: 'capperTier',
    shown: true,
    about: "The capper's tier when the pick was posted.",
    exported: 'capper_tier',
  },
  sport: {
    column: 'g.sport',
    type: word(sportSchema),
    hashed: 'sport',
    json: 'sport',
    given: gameFields.sport,
    shown: true,
    about: 'A sport key, such as nfl.',
    exported: 'sport',
  },
  gameId: {
    column: 'p.game_id',
    type: id,
    json: 'gameId',
    shown: true,
    about: 'Its page is `/game/<gameId>`.',
  },
  game: {
    column: 'g.name',
    type: text,
    hashed: 'game',
    json: 'game',
    given: gameFields.game,
    shown: true,
    about: 'Away @ home.',
    exported: 'game',
  },
  startsAt: {
    column: 'p.starts_at',
    type: orNull(instant),
    hashed: 'starts_at',
    json: 'startsAt',
    given: gameFields.startsAt,
    shown: true,
    about: 'The start as now known.',
    exported: 'starts_at',
  },
  gameDay: {
    column: 'g.day',
    type: orNull(day),
    hashed: 'day',
    json: 'day',
    given: gameFields.day,
    shown: true,
    about: 'The ET day of a game of which only that was announced, else null.',
  },
  market: {
    column: 'p.market',
    type: word(marketSchema),
    hashed: 'market',
    json: 'market',
    given: slug,
    shown: true,
    about: 'The kind of bet, such as `spread`.',
    exported: 'market',
  },
  subject: {
    column: 'p.subject',
    type: orNull(text),
    hashed: 'subject',
    json: 'subject',
    given: subject,
    shown: true,
    about: 'The player, team, or question that the market is about. Null for markets about the game itself.',
    exported: 'subject',
  },
  side: {
    column: 'p.side',
    type: word(sideSchema),
    hashed: 'side',
    json: 'side',
    given: slug,
    shown: true,
    about: 'The side of the bet, such as `home` or `over`.',
    exported: 'side',
  },
  lineE3: {
    column: 'p.line_e3',
    type: orNull(line),
    hashed: 'line_e3',
    json: 'line',
    given: lineField,
    shown: true,
    about: 'The number of points in a spread or total. Null in a market without lines.',
    exported: 'line',
  },
  pick: {
    column: 'p.pick',
    type: text,
    hashed: 'pick',
    json: 'pick',
    given: plainText(1, 300),
    shown: true,
    about: "The selection in the capper's words.",
    exported: 'pick',
  },
  oddsAmerican: {
    column: 'p.odds_american',
    type: price,
    hashed: 'odds_american',
    json: 'oddsAmerican',
    given: americanOdds,
    shown: true,
    about: 'The odds taken, American.',
    alsoShown: {
      json: 'oddsDecimal',
      schema: Type.Number({ description: 'The same odds, decimal.' }),
      show: shownDecimal,
    },
    exported: 'odds_american',
  },
  stakeE4: {
    column: 'p.stake_e4',
    type: stake,
    hashed: 'stake_e4',
    json: 'stakeUnits',
    given: stakeUnits,
    shown: true,
    about: 'The stake in units.',
    exported: 'stake_units',
  },
  book: {
    column: 'p.book',
    type: orNull(text),
    hashed: 'book',
    json: 'book',
    given: slugOrNull,
    exported: 'book',
  },
  source: {
    column: 'p.source',
    type: text,
    hashed: 'source',
    json: 'source',
    given: Type.Optional(sourceLabel),
    shown: true,
    about: 'A label that says where the pick came from.',
    exported: 'source',
  },
  provenance: {
    column: 'p.provenance',
    type: word(provenanceSchema),
    hashed: 'provenance',
    json: 'provenance',
    shown: true,
    exported: 'provenance',
  },
  postedAt: {
    column: 'p.posted_at',
    type: instant,
    hashed: 'posted_at',
    json: 'postedAt',
    /** Only in files: the service times live picks. */
    given: instantText,
    shown: true,
    about: 'When it was posted.',
    exported: 'posted_at',
  },
  /** The author's signature; all null if nobody signed. */
  authorKey: { column: 'p.author_key', type: orNull(text), hashed: 'author.key' },
  authorNonce: { column: 'p.author_nonce', type: orNull(text), hashed: 'author.nonce' },
  authorAt: { column: 'p.author_at', type: orNull(instant), hashed: 'author.at' },
  authorSignature: { column: 'p.author_signature', type: orNull(text), hashed: 'author.signature' },
  /** The subject as the author spelled it; null if as the game names it. */
  authorSubject: { column: 'p.author_subject', type: orNull(text), hashed: 'author.subject' },
} as const satisfies Record<string, PickField>;

export type Fields = typeof pickFields;
export type FieldName = keyof Fields;

export type StoredPick = StoredFields<Fields>;

type ColumnsOf<Table extends string> = {
  [Name in FieldName]: Fields[Name]['column'] extends `${Table}.${string}` ? Name : never;
}[FieldName];

/** Fields that only the hash and its verification need. Boards do not copy them. */
export const signatureFields = ['authorNonce', 'authorAt', 'authorSignature', 'authorSubject'] as const;

export type CopiedPick = Omit<StoredPick, (typeof signatureFields)[number]>;

export type NewPick = Pick<StoredPick, Exclude<ColumnsOf<'p'>, 'id'>>;
