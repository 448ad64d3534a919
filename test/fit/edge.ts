// `npm run calibrate`: compares two ways of taking the margin out of closing moneylines with the results of the games in REAL_DATA, by odds.
// Prints the rows of the table in docs/rules/edge.md, and what the cap on the reference costs somebody who takes the best price of all books
// (docs/rules/prices.md).

import { fairChance, type SidePrice } from '../../src/rules/edge.ts';
import { decimalOf } from '../../src/rules/odds.ts';
import { type GameRow, type LineRow, readFolder } from '../naive/read.ts';
import { realData } from '../support/folders.ts';

const folder = realData();
if (folder === undefined)
  throw new Error('There is no REAL_DATA to calibrate with. Set it to a folder of data.');

const bands = [1, 1.5, 2, 3, 5, 8, Number.POSITIVE_INFINITY];
const keyOf = ({ sport, game, startsAt }: GameRow | LineRow) => `${sport}/${game}/${startsAt}`;
const decimal = (american: number) => decimalOf(american).num / decimalOf(american).den;

const { games, lines } = readFolder(folder);
const scores = new Map(games.map((game) => [keyOf(game), game]));
const closings = Map.groupBy(
  lines.filter(({ market, closing }) => market === 'moneyline' && closing),
  (line) => `${keyOf(line)}/${line.book}`,
);

const found = bands
  .slice(1)
  .map((below, at) => ({ from: bands[at]!, below, sides: 0, won: 0, share: 0, power: 0 }));
for (const rows of closings.values()) {
  const game = scores.get(keyOf(rows[0]!));
  const prices: SidePrice[] = [...new Map(rows.map((row) => [row.side, row])).values()];
  const ways = rows[0]!.sport === 'soccer' ? 3 : 2;
  if (game?.homeScore == null || game.awayScore == null || prices.length !== ways) continue;
  if (ways === 2 && game.homeScore === game.awayScore) continue;
  const winner =
    game.homeScore === game.awayScore ? 'draw' : game.homeScore > game.awayScore ? 'home' : 'away';
  const implied = prices.reduce((sum, { oddsAmerican }) => sum + 1 / decimal(oddsAmerican), 0);
  for (const { side, oddsAmerican } of prices) {
    const power = fairChance(prices, side);
    if (power === null) continue;
    const odds = decimal(oddsAmerican);
    const band = found.find(({ from, below }) => odds >= from && odds < below)!;
    band.sides += 1;
    if (side === winner) band.won += 1;
    band.share += 1 / odds / implied;
    band.power += power;
  }
}
const whole = (value: number) => Math.round(value).toLocaleString('en-US');
for (const { from, below, sides, won, share, power } of found)
  process.stdout.write(
    `| ${from === 1 ? `below ${below}` : below === Number.POSITIVE_INFINITY ? `${from} and up` : `${from} to ${below}`} | ${[sides, won, share, power].map(whole).join(' | ')} |\n`,
  );
process.stdout.write(`${whole(found.reduce((sum, { sides }) => sum + sides, 0))} sides\n`);

// One price per book of a selection, at closing. The reference is never above the second highest.
const offers = [
  ...Map.groupBy(
    lines.filter(({ closing }) => closing),
    ({ side, line, market, ...row }) => `${keyOf(row as LineRow)}/${market}/${side}/${line}`,
  ).values(),
].map((rows) => rows.map(({ oddsAmerican }) => decimal(oddsAmerican)).sort((a, b) => b - a));
const pairs = offers.filter(({ length }) => length === 2);
const cost = pairs.reduce((sum, [best, second]) => sum + 1 - second! / best!, 0) / pairs.length;
// The mean gap between the two highest of five normal values is 0.592 times that of two.
process.stdout.write(
  `${whole(pairs.length)} selections of two books: ${(100 * cost).toFixed(1)}% of the best odds do not count, or ${(59.2 * cost).toFixed(1)}% with five books that differ as much\n`,
);
