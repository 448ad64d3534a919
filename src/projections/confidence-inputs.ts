import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import {
  type ConfidenceInputs,
  confidenceHistoryMs,
  sideSupport,
  wonOverBreakEvenE9,
} from '../rules/confidence.ts';
import { countedE4 } from '../rules/odds.ts';
import { type Result, sharpTiers, type Tier } from '../rules/vocabulary.ts';
import type { BoardPick } from './board-picks.ts';
import { bestOffer, offersOn } from './offers.ts';
import { countedOddsSql, countsSql } from './pick-filter.ts';

/**
 * Reads the inputs of the Confidence Index for picks on one game, with the same number of queries as for one pick. Consensus and price
 * include events only up to the game's start.
 * @returns in the order of the picks
 */
export async function confidenceInputs(
  database: Database,
  picks: readonly BoardPick[],
  now: EpochMs,
): Promise<ConfidenceInputs[]> {
  const [first] = picks;
  if (first === undefined) return [];
  const { gameId, startsAt } = first;
  const until = Math.min(now, startsAt ?? now);
  const markets = [...new Set(picks.map(({ market }) => market))];
  const [histories, sharp, offers] = await Promise.all([
    readHistories(database, picks),
    readSharpPicks(database, gameId, markets, until),
    offersOn(database, picks, until),
  ]);
  return picks.map((pick, index) => {
    const history = (histories.get(pick.capperId) ?? []).filter(
      ({ settledAt }) => settledAt < pick.postedAt && settledAt >= pick.postedAt - confidenceHistoryMs.record,
    );
    const decided = history.filter(({ result }) => result === 'win' || result === 'loss');
    const recent = decided.filter(({ settledAt }) => settledAt >= pick.postedAt - confidenceHistoryMs.form);
    const edged = history.flatMap(({ edgeBps, half }) => (edgeBps === null ? [] : [{ edgeBps, half }]));
    return {
      tier: pick.tier as Tier,
      record: {
        sample: decided.length,
        weight: weightOf(decided),
        wins: decided.filter(({ result }) => result === 'win').length,
        wonOverBreakEvenE9: sum(
          decided.map(({ result, oddsAmerican, half }) =>
            wonOverBreakEvenE9(result === 'win', oddsAmerican, half),
          ),
        ),
      },
      clv: {
        sample: edged.length,
        weight: weightOf(edged),
        sumBps: sum(edged.map(({ edgeBps, half }) => (half ? edgeBps / 2 : edgeBps))),
      },
      form: {
        sample: recent.length,
        weight: weightOf(recent),
        netE4: sum(recent.map(({ netE4 }) => netE4)),
        stakedE4: sum(recent.map(({ stakeE4, half }) => countedE4(stakeE4, half))),
      },
      consensus: sideSupport(
        { capperHandle: pick.handle, market: pick.market, side: pick.side },
        (sharp.get(pick.market) ?? []).filter(({ subject }) => subject === pick.subject),
      ),
      price: {
        postedAmerican: pick.priceCounted ?? pick.oddsAmerican,
        bestAmerican: bestOffer(offers[index]!)?.oddsAmerican ?? null,
        books: offers[index]!.length,
      },
    };
  });
}

interface Settled {
  capperId: number;
  result: Result;
  half: boolean;
  settledAt: number;
  oddsAmerican: number;
  stakeE4: number;
  netE4: number;
  edgeBps: number | null;
}

/** Reads picks that settled within 90 days before one of the given picks was posted, by capper. */
async function readHistories(
  database: Database,
  picks: readonly BoardPick[],
): Promise<Map<number, Settled[]>> {
  const posted = picks.map(({ postedAt }) => postedAt);
  const rows: Settled[] = await database('board_picks')
    .whereRaw('capper_id = any(?::int[])', [[...new Set(picks.map(({ capperId }) => capperId))]])
    .whereNotNull('result')
    .whereRaw(countsSql('board_picks'))
    .where('settled_at', '<', new Date(Math.max(...posted)))
    .where('settled_at', '>=', new Date(Math.min(...posted) - confidenceHistoryMs.record))
    .select({
      ...inCamelCase('capper_id result half settled_at stake_e4 edge_bps'),
      oddsAmerican: countedOddsSql('board_picks'),
      netE4: 'net_units_e4',
    });
  return Map.groupBy(rows, ({ capperId }) => capperId);
}

interface SharpPick {
  market: string;
  subject: string | null;
  capperHandle: string;
  capperTier: Tier;
  side: string;
}

async function readSharpPicks(
  database: Database,
  gameId: number,
  markets: readonly string[],
  until: number,
): Promise<Map<string, SharpPick[]>> {
  const rows: SharpPick[] = await database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .where('p.game_id', gameId)
    .whereIn('p.market', markets)
    .whereIn('p.tier', [...sharpTiers])
    .whereRaw(countsSql('p'))
    .where('p.posted_at', '<=', new Date(until))
    .select({
      ...inCamelCase('p.market p.subject p.side'),
      capperHandle: 'c.handle',
      capperTier: 'p.tier',
    });
  return Map.groupBy(rows, ({ market }) => market);
}

function weightOf(picks: readonly { half: boolean }[]): number {
  return sum(picks.map(({ half }) => (half ? 0.5 : 1)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
