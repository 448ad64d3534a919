import { gameKey } from '../games/game.ts';
import type { RowIntake } from '../intake/kind.ts';
import type { SheetPlan } from '../sheets/plan.ts';
import type { Kind } from './file-rows.ts';
import { checkedRow, type RowsOfFile } from './files.ts';

/** Returns the rows that an accepted plan stores, for `ingestFiles`. */
export function rowsOfPlan(file: string, { cappers, rows }: SheetPlan): RowsOfFile[] {
  const of = (kind: Kind, pairs: readonly (readonly [line: number, row: unknown])[]): RowsOfFile => ({
    file,
    kind,
    rows: pairs.map(([line, row]) => checkedRow(kind, line, row)),
  });
  const games = new Map(
    rows.flatMap(({ line, game }) =>
      game === undefined ? [] : [[JSON.stringify(game), [line, game] as const]],
    ),
  );
  return [
    of(
      'cappers',
      cappers.map((capper) => [1, capper] as const),
    ),
    of('games', [...games.values()]),
    of(
      'picks',
      rows.flatMap(({ line, pick }) => (pick === undefined ? [] : [[line, pick] as const])),
    ),
    of(
      'results',
      rows.flatMap(({ line, result }) => (result === undefined ? [] : [[line, result] as const])),
    ),
  ].filter((each) => (each.rows?.length ?? 0) > 0);
}

/** Returns the new games of plans: `sheetGames` of `ingestFiles`. */
export function sheetGamesOf(plans: readonly SheetPlan[]): NonNullable<RowIntake['sheetGames']> {
  return new Map(
    plans.flatMap(({ rows }) =>
      rows.flatMap(({ game, isHomeGuessed }) =>
        game === undefined
          ? []
          : [[gameKey(game), { homeGuessed: isHomeGuessed === true, sheet: true as const }]],
      ),
    ),
  );
}
