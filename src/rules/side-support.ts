import { opposes } from './markets/index.ts';
import { isSharp, type Tier } from './vocabulary.ts';

/**
 * How many different other sharp cappers are on a pick's side and on the sides of its game and market that bet against it:
 * the consensus component of the Confidence Index. `others` are picks on that game and market, the capper's own are passed
 * over.
 */
export function sideSupport(
  pick: { capperHandle: string; market: string; side: string },
  others: Iterable<{ capperHandle: string; capperTier: Tier; side: string }>,
): { with: number; against: number } {
  const same = new Set<string>();
  const opposing = new Set<string>();
  for (const { capperHandle, capperTier, side } of others) {
    if (capperHandle === pick.capperHandle || !isSharp(capperTier)) continue;
    if (side === pick.side) same.add(capperHandle);
    else if (opposes(pick.market, side, pick.side)) opposing.add(capperHandle);
  }
  return { with: same.size, against: opposing.size };
}
