/** A fall of net units from their highest point so far, which is 0 before the first pick. */
export interface Drawdown {
  fallE4: number;
  /** Indexes of the first pick after the highest point, and of the pick that reached the lowest. */
  from: number;
  to: number;
}

/**
 * Returns the deepest fall, the first of equal ones; `undefined` if net units never fell.
 * @param netE4 net units of each pick, in ten-thousandths
 */
export function deepestDrawdown(netE4: readonly number[]): Drawdown | undefined {
  let deepest: Drawdown | undefined;
  let [sum, peak, from] = [0, 0, 0];
  netE4.forEach((net, index) => {
    sum += net;
    if (sum >= peak) [peak, from] = [sum, index + 1];
    else if (peak - sum > (deepest?.fallE4 ?? 0)) deepest = { fallE4: peak - sum, from, to: index };
  });
  return deepest;
}
