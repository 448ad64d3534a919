import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { betText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { meant } from '../rules/markets/meant.ts';
import { type Cells, RowRefused } from './row.ts';

/** Returns the game titles that a text may contain: `over 34.5 points Gulls @ Foxes`. */
export function titleIn(text: string): string[] {
  const found = /^(.+?)\s+(@|vs\.?|v)\s+(.+)$/i.exec(text);
  if (found === null) return [];
  const [, before = '', mark, after = ''] = found;
  const words = before.split(' ');
  // The start of the first team's name is unknown, so the longest candidate comes first.
  return words.slice(-4).map((_, at, last) => `${last.slice(at).join(' ')} ${mark} ${after}`);
}

/** Returns the texts to read a row's bet from, most complete first. */
export function textsOf(cell: Cells): string[] {
  const [description, pick, team, player, market, side, line] = (
    ['description', 'pick', 'team', 'subject', 'market', 'side', 'line'] as const
  ).map(cell) as [string, string, string, string, string, string, string];
  const parts = (...some: string[]) => some.filter((part) => part !== '').join(' ');
  const sided = /^(?:over|under|o|u)$/i.test(side) ? side : '';
  const signed = line !== '' && sided === '' && /^\d/.test(line) ? `+${line}` : line;
  const isTotal = sided !== '' || /^(?:over|under)\b/i.test(pick);
  const marketWords =
    /^(?:spread|point spread|total|totals|over.?under|straight|game|side|prop|player prop)s?$/i.test(market)
      ? ''
      : market;
  const texts = [
    description,
    pick,
    parts(pick, isTotal ? line : signed),
    parts(pick, marketWords),
    parts(pick, isTotal ? line : signed, marketWords),
    parts(pick, cell('game')),
    parts(pick, line, cell('game')),
    ...(player === ''
      ? []
      : [
          parts(player, sided || pick, line, market),
          parts(player, pick, market),
          parts(player, sided || pick, line, market, cell('opponent')),
        ]),
    parts(team, sided === '' ? signed : parts(sided, line)),
    parts(team, marketWords),
    parts(team, 'ML'),
    parts(cell('game'), sided, line),
    parts(pick, 'ML'),
  ];
  const isMoneyline = /^(?:ml|money ?line|h2h|winner|to win|match winner|win)$/i.test(market);
  return [...new Set(texts)].filter(
    (text) => /\p{L}/u.test(text) && (isMoneyline || !text.endsWith(' ML') || /\bML\b/.test(pick)),
  );
}

/**
 * Reads the first text that is one bet.
 * @throws RowRefused
 */
export function readAny(
  texts: readonly string[],
  games: readonly BetGame[],
  { none }: { none: string },
): { bet: BetReading; text: string } {
  if (games.length === 0) throw new RowRefused(none);
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

/**
 * Checks that the market column agrees with the bet.
 * @throws RowRefused
 */
export function checkMarket(written: string, bet: BetReading): void {
  if (written === '') return;
  const meaning = meant(written, { sport: bet.sport, hasSubject: bet.subject !== null, line: bet.line });
  const market = meaning?.kind === 'market' ? meaning.market : undefined;
  const declared = new Set(['moneyline', 'spread', 'total', 'team_total']);
  if (market === undefined || !declared.has(market) || !declared.has(bet.market) || market === bet.market)
    return;
  // Sheets often call a team total a total.
  if (market === 'total' && bet.market === 'team_total') return;
  throw new RowRefused(`The market column says ${written}, but the bet reads as ${betText(bet)}.`);
}
