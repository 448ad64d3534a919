import type { Static } from 'typebox';
import type { Capper } from '../cappers/cappers.ts';
import type { Game } from '../games/game.ts';
import {
  americanOdds,
  gameFields,
  handle,
  instant,
  orNull,
  pickLine,
  plainText,
  slug,
  stakeUnits,
} from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';

import type { MoneylineWays } from '../rules/markets/market.ts';
import { selectionFault } from '../rules/selection.ts';

/** The labels that the service itself gives, and what a letter of them may be written as. */
const reserved = ['operator', 'live', 'import', 'demo'];
const lookAlikes: Record<string, string> = {
  o: '[o0]',
  i: '[i1l]',
  l: '[l1i]',
  e: '[e3]',
  a: '[a4]',
  t: '[t7]',
  m: '(?:m|rn)',
};

/** A word with its letters in any look-alike, and separators between them. */
function written(word: string): string {
  return [...word].map((letter) => lookAlikes[letter] ?? letter).join('[-_]*');
}

/**
 * What a label must not match (docs/decisions/0026-provenance.md): a reserved word as one or several of its words, digits for letters,
 * separators between letters, an ending and a number at either end included; and `operator` anywhere.
 */
const reservedLabel = [
  written('operator'),
  `(?:^|[-_])[0-9]*(?:${reserved.map(written).join('|')})[-_]*(?:s|d|r|ed|er|rs|ers|ing)?[0-9]*(?:$|[-_])`,
].join('|');

/** The free label of where a pick comes from, as clients and files give it. */
const sourceLabel = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  not: { pattern: reservedLabel },
  must: `a slug of 1 to 40 lower-case letters, digits, hyphens or underscores, and not ${reserved.slice(0, -1).join(', ')} or ${reserved.at(-1)} or like one of them: those labels are the service's own`,
});

/** A pick as a capper posts it: the service's clock says when. */
const pickRow = Type.Object({
  capperHandle: handle,
  ...gameFields,
  market: slug,
  side: slug,
  line: pickLine,
  pick: plainText(1, 300),
  oddsAmerican: americanOdds,
  stakeUnits,
  book: orNull(slug),
  source: Type.Optional(sourceLabel),
});

/** A pick of the past, as files hold it. */
const importedPickRow = Type.Object({ ...pickRow.properties, postedAt: instant });

export type PickRow = Static<typeof pickRow>;
export type ImportedPickRow = Static<typeof importedPickRow>;
export const checkPick = checker(pickRow);
export const checkImportedPick = checker(importedPickRow);

/** What a pick bets on and for how much, as it is stored. */
export function termsOf(row: PickRow) {
  return {
    market: row.market,
    side: row.side,
    lineE3: lineToE3(row.line),
    pick: row.pick,
    oddsAmerican: row.oddsAmerican,
    stakeE4: unitsToE4(row.stakeUnits),
    book: row.book ?? null,
  };
}

/**
 * Why a pick cannot be taken, in a sentence for the one who posted it; undefined when it can. A declared market takes its
 * own sides, and a line where it has lines.
 * @param postedAt epoch milliseconds
 */
export function refusal(
  row: PickRow,
  capper: Capper | undefined,
  game: Game | undefined,
  moneylineWays: ReadonlyMap<string, MoneylineWays>,
  postedAt: number,
): string | undefined {
  if (!moneylineWays.has(row.sport))
    return `sport ${row.sport} is not one of ${[...moneylineWays.keys()].join(', ')}`;
  if (capper === undefined) return `no capper is named ${row.capperHandle}`;
  if (!capper.verified) return `the capper ${capper.handle} is not verified`;
  if (game === undefined)
    return `no game ${row.sport}: ${row.game} announced for ${row.startsAt ?? 'no start'}`;
  const ways = moneylineWays.get(row.sport) ?? 2;
  const fault = selectionFault({ ...row, lineE3: lineToE3(row.line) }, row.sport, ways);
  if (fault !== undefined) return fault;
  if (game.startsAt !== null && postedAt >= game.startsAt)
    return `the game started at ${new Date(game.startsAt).toISOString()}`;
  return undefined;
}
