import type { Database } from '../platform/database.ts';
import { type ConfidenceInputs, confidenceHistoryMs, wonOverBreakEvenE9 } from '../rules/confidence.ts';
import { sideSupport } from '../rules/side-support.ts';
import { type Result, sharpTiers, type Tier } from '../rules/vocabulary.ts';
import type { BoardPick } from './board-picks.ts';
import { bestOffer, latestOffers } from './offers.ts';

/**
 * Reads the inputs of a pick's Confidence Index. Consensus and price follow events up to the game's
 * start and are frozen there.
 * @param now epoch milliseconds
 */
export async function confidenceInputs(
  database: Database,
  pick: BoardPick,
  now: number,
): Promise<ConfidenceInputs> {
  const until = Math.min(now, pick.startsAt ?? now);
  const [history, others, offers] = await Promise.all([
    readHistory(database, pick),
    readOthers(database, pick, until),
    latestOffers(database, pick, until),
  ]);
  const decided = history.filter(({ result }) => result === 'win' || result === 'loss');
  const recent = decided.filter(({ settledAt }) => settledAt >= pick.postedAt - confidenceHistoryMs.form);
  const closed = history.flatMap(({ clvBps, sameLine }) => (clvBps !== null && sameLine ? [clvBps] : []));
  return {
    tier: pick.tier as Tier,
    record: {
      sample: decided.length,
      wins: decided.filter(({ result }) => result === 'win').length,
      wonOverBreakEvenE9: sum(
        decided.map(({ result, oddsAmerican }) => wonOverBreakEvenE9(result, oddsAmerican)),
      ),
    },
    clv: { sample: closed.length, sumBps: sum(closed) },
    form: {
      sample: recent.length,
      netE4: sum(recent.map(({ netE4 }) => netE4)),
      stakedE4: sum(recent.map(({ stakeE4 }) => stakeE4)),
    },
    consensus: sideSupport({ capperHandle: pick.handle, market: pick.market, side: pick.side }, others),
    price: {
      postedAmerican: pick.oddsAmerican,
      bestAmerican: bestOffer(offers)?.oddsAmerican ?? null,
      books: offers.length,
    },
  };
}

interface Settled {
  result: Result;
  settledAt: number;
  oddsAmerican: number;
  stakeE4: number;
  netE4: number;
  clvBps: number | null;
  /** Whether it closed at its own line. */
  sameLine: boolean | null;
}

/** The capper's picks settled within the 90 days before this one was posted. */
function readHistory(database: Database, { capperId, postedAt }: BoardPick): Promise<Settled[]> {
  return database('board_picks')
    .where('capper_id', capperId)
    .whereNotNull('result')
    .where('settled_at', '<', new Date(postedAt))
    .where('settled_at', '>=', new Date(postedAt - confidenceHistoryMs.record))
    .select({
      result: 'result',
      settledAt: 'settled_at',
      oddsAmerican: 'odds_american',
      stakeE4: 'stake_e4',
      netE4: 'net_units_e4',
      clvBps: 'clv_bps',
      sameLine: 'same_line',
    });
}

function readOthers(
  database: Database,
  { gameId, market }: BoardPick,
  until: number,
): Promise<{ capperHandle: string; capperTier: Tier; side: string }[]> {
  return database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .where({ 'p.game_id': gameId, 'p.market': market })
    .whereIn('p.tier', [...sharpTiers])
    .where('p.posted_at', '<=', new Date(until))
    .select({ capperHandle: 'c.handle', capperTier: 'p.tier', side: 'p.side' });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
