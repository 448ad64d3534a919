import type { Static } from 'typebox';
import { readFixture } from '../games/names/title.ts';
import { shownPick, shownSchemas } from '../ledger/pick-forms.ts';
import { priceVerdictSchema, resultSchema, sealedInTimeSchema, verifiedSchema } from '../ledger/schemas.ts';
import { isoOrNull } from '../platform/clock.ts';
import { Field } from '../platform/field-schemas.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { BoardPick } from '../projections/board-picks.ts';
import { betWords } from '../rules/bet-text/print.ts';
import { lineFromE3, shownUnits } from '../rules/fixed-point.ts';

const { source, provenance, ...postedSchemas } = shownSchemas;

export const priceCheckSchema = Type.Object(
  {
    verdict: priceVerdictSchema,
    provisional: Field.flag('Whether the verdict can still change: true until the pick settles.'),
    oddsAmerican: Field.orNull.integer('The price that the odds were compared with.'),
    book: Field.orNull.text('The book that offered that price.'),
    capturedAt: Field.orNull.instant('When that price was captured.'),
    countedAmerican: Field.orNull.integer('The odds at which the pick counts. Null: it counts in no figure.'),
  },
  {
    title: 'PriceCheck',
    description: 'Whether the odds were on offer when the pick was posted. Null for an imported pick.',
  },
);

/** The bet of a pick as pages, feeds, cards, and messages show it: docs/rules/bet-text.md#the-bet-and-the-words. */
export const betSchema = Field.text(
  'The bet, as the service writes it from market, subject, side, and line. `pick` is the text that the capper posted.',
);

export const pickSchema = Type.Object(
  {
    ...postedSchemas,
    bet: betSchema,
    capperVerified: verifiedSchema,
    status: Type.Enum(['pending', 'settled'], { title: 'PickStatus' }),
    result: nullable(resultSchema),
    half: Field.flag(
      'Only half the stake counted, and the other half was returned, as on a quarter line. `result` is that of the half that counted.',
    ),
    settledAt: Field.orNull.instant(),
    closingOddsAmerican: Field.orNull.integer(),
    closingLine: Field.orNull.number(
      "The closing line of the pick's side. If it differs from `line`, the CLV compares odds for different lines.",
    ),
    clvBps: Field.orNull.integer(),
    clvCountedBps: Field.orNull.integer(
      'The closing line value of the counted odds, which means and ranks take.',
    ),
    netUnits: Field.orNull.number(),
    hashStatus: Type.Enum(['sealed', 'unhashed'], { title: 'HashStatus' }),
    source,
    provenance,
    priceCheck: nullable(priceCheckSchema),
    postedBy: Type.Enum(['author', 'operator', 'import'], {
      title: 'PostedBy',
      description:
        'Who posted it: the capper with a key of their own, the operator for the capper, or an import from a file.',
    }),
    sealedAt: Field.orNull.instant('When the first checkpoint that includes the pick was signed.'),
    sealedInTime: nullable({
      ...sealedInTimeSchema,
      description:
        '`witnessed`: enough witnesses cosigned it before the start. `signed`: only the log signed it. `late`: neither. Null: no checkpoint includes it yet, it has no start time, or it was imported.',
    }),
    verifyUrl: Field.uri(),
  },
  { title: 'Pick' },
);

export type PublicPick = Static<typeof pickSchema>;

/** The selection of a pick, or of a group of picks that may have several lines. */
export type Selection = Pick<PublicPick, 'sport' | 'game' | 'market' | 'subject' | 'side'> &
  ({ line: number | null } | { lineMin: number | null; lineMax: number | null });

/** Returns a bet in words that depend only on its selection, whatever its capper wrote. */
export function selectionOf(bet: Selection): string {
  const lines = 'line' in bet ? [bet.line] : [bet.lineMin, bet.lineMax];
  return betWords(
    bet,
    lines.filter((line) => line !== null),
    readFixture(bet.game, bet.sport),
  );
}

export function publicPick(row: BoardPick, baseUrl: string): PublicPick {
  const { source, provenance, ...posted } = shownPick(row);
  return {
    ...posted,
    bet: selectionOf({ ...posted, subject: row.sourceName ?? posted.subject }),
    capperVerified: row.verified,
    status: row.result === null ? 'pending' : 'settled',
    result: row.result,
    half: row.half === true,
    settledAt: isoOrNull(row.settledAt),
    closingOddsAmerican: row.closingOdds,
    closingLine: lineFromE3(row.closingLineE3),
    clvBps: row.clvBps,
    clvCountedBps: row.clvCountedBps,
    netUnits: row.netUnitsE4 === null ? null : shownUnits(row.netUnitsE4),
    hashStatus: row.sealed ? 'sealed' : 'unhashed',
    source,
    provenance,
    priceCheck: shownCheck(row),
    postedBy: provenance === 'imported' ? 'import' : row.authorKey === null ? 'operator' : 'author',
    sealedAt: isoOrNull(row.sealedAt),
    sealedInTime: row.sealedInTime,
    verifyUrl: `${baseUrl}/p/${row.uuid}`,
  };
}

/** Returns the public form of a pick's price check, or null if there is none. */
export function shownCheck(
  row: Pick<BoardPick, 'priceVerdict' | 'priceOdds' | 'priceBook' | 'priceCapturedAt' | 'priceCounted'> & {
    result: string | null;
  },
): PublicPick['priceCheck'] {
  if (row.priceVerdict === null) return null;
  return {
    verdict: row.priceVerdict,
    provisional: row.result === null,
    oddsAmerican: row.priceOdds,
    book: row.priceBook,
    capturedAt: isoOrNull(row.priceCapturedAt),
    countedAmerican: row.priceCounted,
  };
}
