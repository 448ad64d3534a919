import { marketNamed } from '../markets/index.ts';
import { knownMarket } from '../markets/known.ts';

/** Maximum number of words for a statistic: `rushing and receiving yards`. */
export const maxStatisticWords = 6;

/** Reports whether the answers to a player's market are yes and no, without a line. */
export function isQuestion(market: string): boolean {
  const declared = marketNamed(market);
  return declared === undefined ? knownMarket(market)?.shape === 'yesNo' : declared.line === null;
}

/** Returns the words for a player market after its line, such as `passing yards`. They read back as that market. */
export function statisticWords(market: string): string {
  const words = knownMarket(market)?.words;
  const [first] = typeof words === 'object' ? Object.values(words) : [words];
  const label = marketNamed(market)?.label ?? first?.split('|')[0] ?? market.replaceAll('_', ' ');
  const named =
    /^(?:player|batter|pitcher) (points|rebounds|assists|threes|steals|blocks|turnovers|goals|shots)/;
  // A comma would end the statistic.
  return label.replace(named, '$1').replace(/,? and |, /g, ' + ');
}
