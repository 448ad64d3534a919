import { isQuestion, nameOf, shapeOf } from '../markets/known.ts';
import { periodName, periodOf } from '../markets/periods.ts';
import type { BetReading } from './bet.ts';
import type { BetGame } from './day.ts';

/**
 * Writes a bet as one line, without its start. Read against the same games, the line gives the same bet, or several choices if the teams
 * play twice.
 */
export function betText(bet: BetReading): string {
  return textOf(bet);
}

/** Writes a bet as one line that reads back as the bet, with the number of its game where the teams play several. */
export function numberedText(bet: BetReading, games: readonly BetGame[]): string {
  const starts = games
    .filter(({ sport, game }) => sport === bet.sport && game === bet.game)
    .map(({ startsAt }) => startsAt ?? 0)
    .sort((one, other) => one - other);
  return textOf(bet, starts.length > 1 ? starts.indexOf(bet.startsAt ?? 0) + 1 : undefined);
}

function textOf(bet: BetReading, number?: number): string {
  const { sport, oddsAmerican, stakeUnits, book } = bet;
  return [
    `${sport.toUpperCase()}:`,
    selectionWords(bet),
    ...(number === undefined ? [] : [`G${number}`]),
    ...(oddsAmerican === null ? [] : [signed(oddsAmerican)]),
    ...(stakeUnits === null ? [] : [`${stakeUnits}u`]),
    ...(book === null ? [] : [book]),
  ].join(' ');
}

/** Writes a bet's selection in words: the text of its pick. */
export function selectionWords({ sport, market, subject, side, line, away, home }: BetReading): string {
  const game = `${away} @ ${home}`;
  const { whole, period } = periodOf(market);
  const prefix = period === undefined ? '' : `${periodName(period)} `;
  const team = side.startsWith('home') ? home : side.startsWith('away') ? away : side;
  const name = nameOf(whole);
  switch (shapeOf(sport, whole)) {
    case 'team':
      if (side === 'draw') return `${game} ${prefix}draw`;
      return `${team} ${prefix}${whole === 'moneyline' ? 'ML' : name}`;
    case 'spread': {
      const points = line === 0 ? 'PK' : signed(line ?? 0);
      const unit = sport === 'tennis' ? ' games' : '';
      return `${team} ${prefix}${points}${whole === 'spread' ? unit : ` ${name}`}`;
    }
    case 'overUnder':
      return `${game} ${prefix}${side} ${line}${whole === 'total' ? '' : ` ${name}`}`;
    case 'teamOverUnder':
      return `${team} ${prefix}team total ${side.replace(/^.*_/, '')} ${line}`;
    case 'yesNo':
      return `${game} ${prefix}${name} ${side}`;
    case 'teamOrDraw':
      return `${team} ${prefix}or draw`;
    default:
      return isQuestion(market)
        ? `${subject} ${name}${side === 'yes' ? '' : ' no'} (${game})`
        : `${subject} ${side} ${line === null ? '' : `${line} `}${name} (${game})`;
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
