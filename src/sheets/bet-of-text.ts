import type { BetReading } from '../rules/bet-text/bet.ts';
import { type BetGame, dayOf } from '../rules/bet-text/day.ts';
import { bareMeanings } from '../rules/bet-text/plausible.ts';
import { betText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { marketIn } from '../rules/markets/index.ts';
import { inPeriod, periodOf, periodWords } from '../rules/markets/periods.ts';
import type { Marks } from '../rules/written-numbers.ts';
import { type Cells, type HeadedCell, RowRefused } from './cells.ts';
import { partOf } from './market-cells.ts';
import { lineIn, roleIn, saidIn } from './said.ts';

export interface BetCells {
  cell: Cells;
  /** Cells of columns for markets, without words such as `Single`. */
  markets: readonly HeadedCell[];
  /** Its cell about the part of the game. */
  period: HeadedCell;
  marks: Marks;
}

/** The remark on a row that names a team, and no market. */
export const asMoneyline = 'No column names the market, so the team is read as a moneyline.';

/** Returns the texts to read a bet from, most complete first. */
export function textsOf(cell: Cells, games: readonly BetGame[]): string[] {
  const fields = ['description', 'pick', 'team', 'side', 'line', 'game'] as const;
  const [description = '', pick = '', team = '', side = '', line = '', named = ''] = fields.map(cell);
  const [home, away] = [cell('home'), cell('away')];
  const game = named === '' && home !== '' && away !== '' ? `${away} @ ${home}` : named;
  const parts = (...some: string[]) => some.filter((part) => part !== '').join(' ');
  const sided = /^(?:over|under|o|u)$/i.test(side) ? side : '';
  const signed = line !== '' && sided === '' && /^\d/.test(line) ? `+${line}` : line;
  const isTotal = sided !== '' || /\b(?:over|under)\b/i.test(pick);
  // With the names of both teams, `Foxes over 1.5` would be a total of the game.
  const isOfTeam = [pick, team, description].some((text) => namesOpponent(text, games));
  // A text without the words of the pick is another bet.
  const isPickSaid = !/\p{L}{2}/u.test(pick);
  const texts = [
    ...[description, pick, parts(pick, isTotal ? line : signed)],
    ...(isOfTeam ? [] : [parts(pick, game), parts(pick, line, game)]),
    ...(isPickSaid ? [parts(team, sided === '' ? signed : parts(sided, line))] : []),
    ...(isOfTeam ? [] : [parts(game, sided, line)]),
    // `LAL` in a column of teams, with odds, is a moneyline only if the column says no more.
    ...(line === '' && side === '' ? [...(pick === '' ? [parts(team, 'ML')] : []), parts(pick, 'ML')] : []),
  ];
  return [...new Set(texts)].filter((text) => /\p{L}/u.test(text));
}

function namesOpponent(text: string, games: readonly BetGame[]): boolean {
  const day = dayOf(games);
  const words = text.split(/[^\p{L}\p{N}.'-]+/u).filter((word) => word !== '');
  return words.some((_, from) =>
    [1, 2, 3, 4].some((count) =>
      day.find(words.slice(from, from + count).join(' ')).some(({ role }) => role !== 'player'),
    ),
  );
}

/** Reads the first text that is one bet. @throws RowRefused */
function readAny(texts: readonly string[], games: readonly BetGame[]): { bet: BetReading; text: string } {
  let reason: string | undefined;
  let choices: RowRefused | undefined;
  for (const text of texts) {
    const found = readBetText(text, games);
    if (found.kind === 'bet') return { bet: found.bet, text };
    if (found.kind === 'choices')
      choices ??= new RowRefused(`${JSON.stringify(text)} fits several bets.`, found.choices.map(betText));
    else reason ??= `${JSON.stringify(text)}: ${found.reason}`;
  }
  throw choices ?? new RowRefused(reason ?? 'The row has no bet.');
}

/** Reads the bet from text, and checks it against the columns that say something about it. */
export function fromText(row: BetCells, games: readonly BetGame[], notes: string[]): BetReading {
  const ofPart = partOf(row.period, games[0]!.sport);
  const texts = textsOf(row.cell, games);
  // A line that the game cannot have is that of the part which a column names.
  const inPart =
    ofPart === undefined ? [] : texts.map((each) => `${each} ${periodWords[ofPart].split('|', 1)[0]}`);
  const { bet, text } = readAny([...texts, ...inPart], games);
  if (text !== texts[0]) notes.push(`Read as ${JSON.stringify(text)}.`);
  if (text !== texts[0] && text.endsWith(' ML')) notes.push(asMoneyline);
  const game = games.find((each) => each.game === bet.game && each.startsAt === bet.startsAt)!;
  const { whole, period: part } = periodOf(bet.market);
  const contradicts = (header: string, cell: string) =>
    new RowRefused(`The ${header} column says ${cell}, but the bet reads as ${betText(bet)}.`);
  const period = partOf(row.period, bet.sport);
  if (row.period.cell !== '' && period !== part) {
    const market = period === undefined ? undefined : inPeriod(bet.sport, whole, period);
    if (part !== undefined || market === undefined) throw contradicts('period', row.period.cell);
    bet.market = market;
    bet.subject ??= marketIn(bet.sport, market) === undefined ? bet.game : null;
  }
  const [side, line, team] = [row.cell('side'), row.cell('line'), row.cell('team')];
  const said = saidIn(side, game, row.marks);
  if (
    (said.side !== undefined &&
      said.side !== 'yes' &&
      said.side !== bet.side.replace(/^(?:home|away)_(?=over|under)/, '')) ||
    (said.role !== undefined && !bet.side.startsWith(said.role))
  )
    throw contradicts('side', side);
  // `-7 (-110)` has the odds, too.
  const written = lineIn(line.replace(/\s+\(?[+-]\d{3,5}\)?$/, ''), row.marks);
  const isPrice =
    written !== undefined &&
    (written === bet.oddsAmerican ||
      (bet.oddsAmerican === null && bet.line === null && Math.abs(written) >= 100));
  if (isPrice) bet.oddsAmerican = written;
  // `3.5` can be the line of -3.5 if its column writes no signs.
  const isSame =
    (bet.line ?? 0) === written || (/^\d/.test(line) && written === Math.abs(bet.line ?? Number.NaN));
  const ofLine = /^(o|u)(?:ver|nder)?\s?\d/i.exec(line)?.[1]?.toLowerCase();
  const isOtherSide = ofLine !== undefined && !bet.side.endsWith(ofLine === 'o' ? 'over' : 'under');
  if (line !== '' && !isPrice && (!isSame || isOtherSide)) throw contradicts('line', line);
  // A player, or a word such as `Both`, names no other team.
  const isOther = !text.includes(team) && !/^(?:both|either|game|none|n\/a|over|under|total)\b/i.test(team);
  const named = [...(bet.subject === null && isOther ? [team] : []), row.cell('opponent')];
  for (const name of named)
    if (/\p{L}{3}/u.test(name) && roleIn(name, game) === undefined)
      throw new RowRefused(`${name} is no team of ${bet.game}.`);
  const role = roleIn(team, game);
  if (role !== undefined && /^(?:home|away)$/.test(bet.side) && role !== bet.side)
    throw contradicts('team', team);
  if (whole === 'total' && isTotalOfTeam(row.cell, game, bet.line!, part !== undefined))
    throw new RowRefused(`The team column says ${team}, so ${text} can be its total or that of the game.`);
  return bet;
}

/** Reports whether a total can be that of the team in its column, which is not needed to name the game. */
export function isTotalOfTeam(cell: Cells, game: BetGame, line: number, isPart: boolean): boolean {
  return (
    roleIn(cell('team'), game) !== undefined &&
    (cell('game') !== '' || cell('home') !== '') &&
    bareMeanings(game.sport, line, isPart).team
  );
}
