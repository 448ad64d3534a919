/** A fall of net units from their highest point so far, 0 before the first pick, to a later one. */
export interface Drawdown {
  fallE4: number;
  /** The first pick after the highest point, and the one with which the lowest was reached, by index. */
  from: number;
  to: number;
}

/** The deepest fall, of several the first; `undefined` where net units never fell. @param netE4 of each pick, in ten-thousandths */
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
