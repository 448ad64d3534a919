import { takeLock } from '../../migrations/locks.ts';
import { applyGames } from '../games/apply-games.ts';
import type { Game, GameRow } from '../games/game.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { endRow, isEnd, type Saying, weighSayings } from './source-scores.ts';

/** What became of games by what sources say of them. */
export interface AppliedStates {
  postponed: number;
  finals: number;
  cancelled: number;
  corrections: number;
}

/** Ends the games about which the sources agree by now: what had to wait for a second source, or to settle. */
export function settleSayings(database: Database, now: number): Promise<AppliedStates> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    return applyStates(transaction, [], undefined, now);
  });
}

/**
 * Applies what changed in what a source says of games, and ends those about which the sources agree. What is said of a game that has
 * ended becomes a correction where it contradicts.
 * @param games the games to weigh, those of `changed` among them. Default: every one of which a source says that it ended
 */
export async function applyStates(
  transaction: Transaction,
  changed: readonly Saying[],
  games: readonly Game[] | undefined,
  now: number,
): Promise<AppliedStates> {
  const byId = new Map(games?.map((game) => [game.id, game]));
  const reported = changed.flatMap((saying): GameRow[] => {
    const game = byId.get(saying.gameId)!;
    const row = endRow(game, saying);
    if (game.status === 'final' || game.status === 'cancelled')
      return saying.state === 'cancelled' || (saying.state === 'final' && saying.homeScore !== null)
        ? [row]
        : [];
    if (saying.state === 'postponed') return [{ ...row, status: 'postponed' }];
    return game.status === 'postponed' && !isEnd(saying.state) ? [{ ...row, status: 'scheduled' }] : [];
  });
  const weighed = await weighSayings(
    transaction,
    now,
    games?.map(({ id }) => id),
  );
  const settled = weighed.flatMap(({ game, verdict }) =>
    verdict.verdict === 'take' ? [endRow(game, verdict.said, verdict.finalAt)] : [],
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
