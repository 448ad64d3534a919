import type { BetReading } from './bet.ts';
import { partMarketNamed, partWords } from './parts.ts';
import { isQuestion, statisticWords } from './statistics.ts';

/**
 * Writes a bet as one line, without its start. Read against the same games, the line gives the same bet, or several choices if the teams
 * play twice.
 */
export function betText(bet: BetReading): string {
  const { sport, oddsAmerican, stakeUnits, book } = bet;
  return [
    `${sport.toUpperCase()}:`,
    selectionWords(bet),
    ...(oddsAmerican === null ? [] : [signed(oddsAmerican)]),
    ...(stakeUnits === null ? [] : [`${stakeUnits}u`]),
    ...(book === null ? [] : [book]),
  ].join(' ');
}

/** Writes a bet's selection in words: the text of its pick. */
export function selectionWords({ sport, market, subject, side, line, away, home }: BetReading): string {
  const game = `${away} @ ${home}`;
  const { whole, part } = partMarketNamed(market);
  const prefix = part === undefined ? '' : `${partWords(part)} `;
  const teamOf = (role: string) => (role.startsWith('home') ? home : away);
  switch (whole) {
    case 'moneyline':
      return side === 'draw' ? `${game} ${prefix}draw` : `${teamOf(side)} ${prefix}ML`;
    case 'spread':
      return `${teamOf(side)} ${prefix}${line === 0 ? 'PK' : signed(line ?? 0)}${sport === 'tennis' ? ' games' : ''}`;
    case 'total':
      return `${game} ${prefix}${side} ${line}`;
    case 'team_total':
      return `${teamOf(side)} ${prefix}team total ${side.replace(/^.*_/, '')} ${line}`;
    case 'btts':
      return `${game} both teams to score ${side}`;
    case 'double_chance':
      return `${teamOf(side)} or draw`;
    case 'draw_no_bet':
      return `${teamOf(side)} draw no bet`;
    default: {
      const words = statisticWords(market);
      return isQuestion(market)
        ? `${subject} ${words}${side === 'yes' ? '' : ' no'} (${game})`
        : `${subject} ${side} ${line} ${words} (${game})`;
    }
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
