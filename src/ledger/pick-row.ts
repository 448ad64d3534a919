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
import { marketNamed, marketSides } from '../rules/markets/index.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';
import { sourceLabel } from './source-label.ts';

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
  const sides = marketSides(row.market, ways);
  if (sides !== null && !sides.includes(row.side))
    return `a ${row.market} in ${row.sport} has the sides ${sides.join(', ')}, not ${row.side}`;
  const declared = marketNamed(row.market);
  if (declared?.line === null && row.line != null) return `a ${row.market} has no line`;
  if (declared !== undefined && declared.line !== null && row.line == null)
    return `a ${row.market} needs a line`;
  if (game.startsAt !== null && postedAt >= game.startsAt)
    return `the game started at ${new Date(game.startsAt).toISOString()}`;
  return undefined;
}
