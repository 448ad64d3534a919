// The common part of kinds of rows about a game: the fields that name the game and the selection, and how rows find their games.

import { americanOdds, gameFields as gameSchemas, lineField, subject } from '../games/fields.ts';
import type { GameName } from '../games/game.ts';
import type { NotedOutcome } from '../games/row-outcome.ts';
import { applyResolved, doors } from '../games/which-game.ts';
import type { Transaction } from '../platform/database.ts';
import { instant, orNull, slug } from '../platform/fields.ts';
import { marketIn } from '../rules/markets/index.ts';
import { aboutOf } from '../rules/markets/known.ts';
import { oddsTyped } from '../rules/typed-numbers.ts';
import { bookCell, instantCell, lineCell, slugCell, sportsCell } from './cells.ts';
import type { Fields, RowIntake, RowKind } from './kind.ts';

/** Games of the examples. The second one is over. */
export const futureGame = {
  sport: 'nfl',
  game: 'Harbor Gulls @ Copper Foxes',
  startsAt: '2030-10-06T17:00:00Z',
};
export const pastGame = { ...futureGame, startsAt: '2024-10-06T17:00:00Z' };

export const gameFields = {
  sport: {
    schema: gameSchemas.sport,
    about: 'Key of the sport, such as `nfl`.',
    cell: sportsCell,
  },
  game: {
    schema: gameSchemas.game,
    about: '`Away @ Home`. Names may be abbreviated or aliases.',
  },
  startsAt: {
    schema: gameSchemas.startsAt,
    about: 'First announced start of the game.',
    cell: instantCell,
  },
  day: {
    schema: gameSchemas.day,
    about: 'ET date of the game, if only that was announced. Then `startsAt` is missing.',
  },
} satisfies Fields;

export const selectionFields = {
  market: {
    schema: slug,
    about: '`moneyline`, `spread`, `total`, or another market. Common names such as `ML` are accepted.',
  },
  subject: {
    schema: subject,
    about: 'Player, team, or question, if the market is about one.',
    label: 'player or question',
    hint: 'Leave empty if the market is about the game.',
  },
  side: {
    schema: slug,
    about: '`home`, `away`, `over`, `under`, or another side of the market.',
    cell: slugCell,
  },
  line: {
    schema: lineField,
    about: 'Line, if the market has one.',
    hint: 'A multiple of 0.25, such as -3.5 or PK.',
    cell: lineCell,
  },
} satisfies Fields;

export const oddsField = {
  schema: americanOdds,
  about: 'American odds. CSV takes other formats too.',
  label: 'odds',
  hint: 'American or decimal: -110 or 1.91.',
  typed: oddsTyped,
};

export const bookOf = { cell: bookCell };

export const finalAtField = {
  schema: orNull(instant),
  about: 'Instant at which it was known. Default: now.',
  cell: instantCell,
};

/** Applies rows to the games that they name, in any spelling. */
export function inGames<Row extends GameName>(apply: RowKind<Row>['apply']): RowKind<Row>['apply'] {
  return (transaction, rows, intake) =>
    applyResolved(transaction, rows, doors.row, (named) => apply(transaction, named, intake));
}

/**
 * Applies rows of markets to the games that they name. A sheet without a column for subjects leaves them out, so there a market about the
 * game gets the title of the game, with a note (docs/rules/markets.md#subjects).
 */
export function aboutSubjects<Row extends GameName & { market: string; subject?: string | null }>(
  apply: RowKind<Row>['apply'],
): RowKind<Row>['apply'] {
  return inGames(async (transaction: Transaction, rows: readonly Row[], intake: RowIntake) => {
    const isGuess = ({ sport, market, subject: about }: Row) =>
      intake.isSheet === true &&
      about == null &&
      aboutOf(market) === 'game' &&
      marketIn(sport, market) === undefined;
    const given = rows.map((row) => (isGuess(row) ? { ...row, subject: row.game } : row));
    const outcomes = await apply(transaction, given, intake);
    return outcomes.map((outcome, at): NotedOutcome => {
      if (!isGuess(rows[at]!) || outcome.outcome === 'refused') return outcome;
      const { market, game } = rows[at]!;
      const guess = `no column names the subject of ${market}: it is the game, ${game}`;
      return { ...outcome, note: outcome.note === undefined ? guess : `${guess}; ${outcome.note}` };
    });
  });
}
