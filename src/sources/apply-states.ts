import { takeLock } from '../../migrations/locks.ts';
import type { Game } from '../games/game.ts';
import { applyGames, type GameRow } from '../intake/game.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { endRow, type GameStatement, isEnd, weighStatements } from './source-scores.ts';

/** Changes to games by what sources say of them. */
export interface AppliedStates {
  postponed: number;
  finals: number;
  cancelled: number;
  corrections: number;
}

/** Ends games on which the sources agree by now, after waiting for a second source or for time to pass. */
export function settleStatements(database: Database, now: number): Promise<AppliedStates> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    return applyStates(transaction, [], undefined, now);
  });
}

/**
 * Applies what changed in a source's statements about games, and ends those on which the sources agree. For a game that has ended, a
 * contradiction becomes a correction.
 * @param games the games to weigh, including those of `changed`. Default: all that some source reports as ended
 */
export async function applyStates(
  transaction: Transaction,
  changed: readonly GameStatement[],
  games: readonly Game[] | undefined,
  now: number,
): Promise<AppliedStates> {
  const byId = new Map(games?.map((game) => [game.id, game]));
  const reported = changed.flatMap((statement): GameRow[] => {
    const game = byId.get(statement.gameId)!;
    const row = endRow(game, statement);
    if (game.status === 'final' || game.status === 'cancelled')
      return statement.state === 'cancelled' || (statement.state === 'final' && statement.homeScore !== null)
        ? [row]
        : [];
    if (statement.state === 'postponed') return [{ ...row, status: 'postponed' }];
    return game.status === 'postponed' && !isEnd(statement.state) ? [{ ...row, status: 'scheduled' }] : [];
  });
  const unended = await weighStatements(
    transaction,
    now,
    games?.map(({ id }) => id),
  );
  const settled = unended.flatMap(({ game, verdict }) =>
    verdict.verdict === 'take' ? [endRow(game, verdict.statement, verdict.finalAt)] : [],
  );
  const rows = [...reported, ...settled];
  const { outcomes, corrections } = await applyGames(transaction, rows, { now, imported: false });
  await recordNotices(transaction, 'correction', corrections, now);
  const updated = (status: GameRow['status']) =>
    rows.filter((row, index) => row.status === status && outcomes[index]?.outcome === 'updated').length;
  return {
    postponed: updated('postponed'),
    finals: updated('final'),
    cancelled: updated('cancelled'),
    corrections: corrections.length,
  };
}
