import { takeLocksOn } from '../../../migrations/locks.ts';
import type { Transaction } from '../../platform/database.ts';
import { contestOf } from '../../rules/markets/index.ts';
import type { NewPick } from '../pick.ts';

/** Maximum of a capper's pending live picks on one contest (docs/rules/intake.md#repeats). */
const maxOnContest = 3;

/** A conflict with a pending pick (`refused`) or with a pick of the same round, which could still be refused (`retry`). */
export type Repeat =
  | { state: 'refused'; reason: string; repeats: string }
  | { state: 'retry'; reason: string };

type Bet = Pick<NewPick, 'uuid' | 'capperId' | 'gameId' | 'market' | 'subject' | 'side' | 'lineE3'>;

/**
 * Finds live picks that repeat a pending pick of the same capper, or exceed the limit per contest. Locks each capper and game until the
 * transaction ends, so that concurrent posts cannot pass the check together.
 * @returns by UUID
 */
export async function repeatsAmong(
  transaction: Transaction,
  picks: readonly NewPick[],
): Promise<Map<string, Repeat>> {
  if (picks.length === 0) return new Map();
  const lockKeys = picks.map(({ capperId, gameId }) => `${capperId}/${gameId}`);
  await takeLocksOn(transaction, 'picksOfCapperOnGame', lockKeys);
  const known = Map.groupBy(await pendingOf(transaction, picks), contestKey);
  const round = new Map<string, Bet[]>();
  const repeats = new Map<string, Repeat>();
  for (const pick of picks) {
    const key = contestKey(pick);
    const others = known.get(key) ?? [];
    const accepted = round.get(key) ?? [];
    const repeat = repeatOf(pick, others, accepted);
    if (repeat === undefined) round.set(key, [...accepted, pick]);
    else repeats.set(pick.uuid, repeat);
  }
  return repeats;
}

/** @param pending pending picks on its contest @param accepted accepted picks of the same round */
function repeatOf(pick: Bet, pending: readonly Bet[], accepted: readonly Bet[]): Repeat | undefined {
  const isSame = ({ side, lineE3 }: Bet) => side === pick.side && lineE3 === pick.lineE3;
  const first = pending.find(isSame);
  if (first !== undefined)
    return {
      state: 'refused',
      reason: `it repeats pick ${first.uuid} of this capper, which is pending`,
      repeats: first.uuid,
    };
  const [one] = pending;
  if (one !== undefined && pending.length >= maxOnContest)
    return {
      state: 'refused',
      reason: `the capper already has ${pending.length} pending picks on this contest, starting with ${one.uuid}`,
      repeats: one.uuid,
    };
  if (accepted.some(isSame) || pending.length + accepted.length >= maxOnContest)
    return {
      state: 'retry',
      reason: 'another pick of the capper on this contest arrived at the same time: retry',
    };
  return undefined;
}

function contestKey({ capperId, gameId, market, subject, side }: Bet): string {
  return JSON.stringify([capperId, gameId, market, subject, contestOf(market, side)]);
}

/** Reads pending live picks of the cappers on the games, oldest first. */
async function pendingOf(transaction: Transaction, picks: readonly Bet[]): Promise<Bet[]> {
  const { rows }: { rows: Bet[] } = await transaction.raw(
    `select p.uuid, p.capper_id as "capperId", w.game_id as "gameId", p.market, p.subject, p.side, p.line_e3 as "lineE3"
     from (select distinct * from unnest(?::int[], ?::bigint[])) as w (capper_id, game_id)
     join picks p on p.game_id in (select w.game_id union all select from_game from game_joins where to_game = w.game_id) and p.capper_id = w.capper_id
     where p.provenance = 'live' and exists (select from pending_picks q where q.pick_id = p.id)
     order by p.id`,
    [picks.map(({ capperId }) => capperId), picks.map(({ gameId }) => gameId)],
  );
  return rows;
}
