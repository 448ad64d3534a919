import type { Static } from 'typebox';
import { inCamelCase } from '../../platform/columns.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, pickByUuid } from '../../projections/board-picks.ts';
import { kinds } from '../../proof/bodies.ts';
import { lineFromE3 } from '../../rules/fixed-point.ts';
import type { BoardContext } from '../endpoint.ts';
import { selectionText } from '../formats/pick-text.ts';

/** Maximum number of picks or entries per prefix; more digits narrow it to one. */
const max = 5;

/** Minimum number of hex digits in a prefix: fewer match too many hashes. */
const minDigits = 6;
const ofHash = 64;
const ofUuid = 32;

/** Null in entries about the log itself: what concerns a pick. */
export const foundEntry = Type.Object({
  seq: Field.integer('The index in the log.'),
  kind: Type.String({
    examples: kinds,
  }),
  hash: Field.text(),
  pickUuid: Field.orNull.uuid(),
  pick: Field.orNull.text(),
  bet: Field.orNull.text("The pick's selection in words."),
  subject: Field.orNull.text('The player, team, or question that the market is about.'),
  game: Field.orNull.text(),
});
type FoundEntry = Static<typeof foundEntry>;

type FoundRow = Omit<FoundEntry, 'bet'> & {
  market: string | null;
  side: string | null;
  sport: string | null;
  lineE3: number | null;
};

/** Returns the pick with a UUID or record number, and those whose UUID starts with the text, sealed or not. */
export async function picksIdentified(
  database: BoardContext['database'],
  text: string,
): Promise<BoardPick[]> {
  const uuids: string[] = [
    ...(isNumber(text) ? await database('picks').where('id', Number(text)).pluck('uuid') : []),
    ...(isUuidBegun(text)
      ? await database('picks')
          .whereBetween('uuid', rangeOf(text.replaceAll('-', ''), ofUuid))
          .orderBy('uuid')
          .limit(max)
          .pluck('uuid')
      : []),
  ];
  const picks = await Promise.all([...new Set(uuids)].map((uuid) => pickByUuid(database, uuid)));
  return picks.filter((pick) => pick !== undefined);
}

/** Returns the log entry with an index, and those whose hash starts with the text. */
export async function entriesIdentified(
  database: BoardContext['database'],
  text: string,
): Promise<FoundEntry[]> {
  const digits = isHex(text) && text.length <= ofHash ? text : undefined;
  if (digits === undefined && !isNumber(text)) return [];
  const entries = () =>
    database('ledger_entries as e')
      .leftJoin('picks as p', 'p.id', 'e.pick_id')
      .leftJoin('games as g', 'g.id', 'p.game_id')
      .orderBy(['e.hash', 'e.seq'])
      .limit(max)
      .select({
        seq: 'e.seq',
        kind: 'e.kind',
        hash: database.raw(`encode(e.hash, 'hex')`),
        pickUuid: 'p.uuid',
        ...inCamelCase('p.pick p.subject p.market p.side p.line_e3'),
        game: 'g.name',
        sport: 'g.sport',
      });
  const [byIndex, byHash]: FoundRow[][] = await Promise.all([
    isNumber(text) ? entries().where('e.seq', Number(text)) : [],
    digits === undefined ? [] : entries().modify(hashBegins, digits),
  ]);
  return [...byIndex!, ...byHash!.filter(({ seq }) => seq !== byIndex![0]?.seq)].map(
    ({ market, side, sport, lineE3, ...entry }) => ({
      ...entry,
      bet:
        market === null
          ? null
          : selectionText({
              sport: sport!,
              game: entry.game!,
              market,
              subject: entry.subject,
              side: side!,
              line: lineFromE3(lineE3),
            }),
    }),
  );
}

/** Uses the index over the first 8 bytes (16 digits). */
function hashBegins(query: ReturnType<BoardContext['database']>, digits: string): void {
  const [from, to] = rangeOf(digits, ofHash);
  query
    .whereRaw(`substring(e.hash from 1 for 8) between decode(?, 'hex') and decode(?, 'hex')`, [
      from.slice(0, 16),
      to.slice(0, 16),
    ])
    .whereRaw(`e.hash between decode(?, 'hex') and decode(?, 'hex')`, [from, to]);
}

/** Returns the first and last text of this length that start with these digits. */
function rangeOf(digits: string, length: number): [string, string] {
  return [digits.padEnd(length, '0'), digits.padEnd(length, 'f')];
}

const isNumber = (text: string) => /^\d{1,15}$/.test(text);
const isHex = (text: string) => text.length >= minDigits && /^[0-9a-f]+$/.test(text);

/** Reports whether a text is the start of a UUID, with or without hyphens. */
function isUuidBegun(text: string): boolean {
  const digits = text.replaceAll('-', '');
  if (!isHex(digits) || digits.length > ofUuid) return false;
  const hyphenated = digits.replace(/^(.{8})(.{0,4})(.{0,4})(.{0,4})(.*)$/, '$1-$2-$3-$4-$5');
  return text === digits || hyphenated.startsWith(text);
}
