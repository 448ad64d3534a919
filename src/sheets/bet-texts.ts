import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { betText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { type Cells, RowRefused } from './row.ts';

/** Returns the game titles that a text may contain: `over 34.5 points Gulls @ Foxes`. */
export function titleIn(text: string): string[] {
  const found = /^(.+?)\s+(@|vs\.?|v)\s+(.+)$/i.exec(text);
  if (found === null) return [];
  const [, before = '', mark, after = ''] = found;
  const words = before.split(' ');
  // The bet can follow the second team.
  const [short = ''] = after.split(/:|\s(?=(?:over|under|[ou]\d|[+-]\d|ml|moneyline|draw|btts)\b|[+-]\d)/i);
  // The start of the first team's name is unknown, so the longest candidate comes first.
  return [...new Set([after, short.trim()])].flatMap((end) =>
    words.slice(-4).map((_, at, last) => `${last.slice(at).join(' ')} ${mark} ${end}`),
  );
}

/** Returns the texts to read a bet from if no column names its market, most complete first. */
export function textsOf(cell: Cells): string[] {
  const [description, pick, team, side, line, game] = (
    ['description', 'pick', 'team', 'side', 'line', 'game'] as const
  ).map(cell) as [string, string, string, string, string, string];
  const parts = (...some: string[]) => some.filter((part) => part !== '').join(' ');
  const sided = /^(?:over|under|o|u)$/i.test(side) ? side : '';
  const signed = line !== '' && sided === '' && /^\d/.test(line) ? `+${line}` : line;
  const isTotal = sided !== '' || /^(?:over|under)\b/i.test(pick);
  const texts = [
    ...[description, pick, parts(pick, isTotal ? line : signed), parts(pick, game), parts(pick, line, game)],
    ...[parts(team, sided === '' ? signed : parts(sided, line)), parts(game, sided, line)],
    // `LAL` in a column of teams, with odds, is a moneyline only if the column says no more.
    ...(line === '' && side === '' ? [parts(team, 'ML'), parts(pick, 'ML')] : []),
  ];
  return [...new Set(texts)].filter((text) => /\p{L}/u.test(text));
}

/**
 * Reads the first text that is one bet.
 * @throws RowRefused
 */
export function readAny(
  texts: readonly string[],
  games: readonly BetGame[],
): { bet: BetReading; text: string; isMoneylineGuessed: boolean } {
  let reason: string | undefined;
  let choices: RowRefused | undefined;
  for (const text of texts) {
    const found = readBetText(text, games);
    if (found.kind === 'bet')
      return { bet: found.bet, text, isMoneylineGuessed: text.endsWith(' ML') && text !== texts[0] };
    if (found.kind === 'choices')
      choices ??= new RowRefused(`${JSON.stringify(text)} fits several bets.`, found.choices.map(betText));
    else reason ??= `${JSON.stringify(text)}: ${found.reason}`;
  }
  throw choices ?? new RowRefused(reason ?? 'The row has no bet.');
}
