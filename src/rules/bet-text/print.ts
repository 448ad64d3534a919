import { marketIn, marketNamed } from '../markets/index.ts';
import { aboutOf, isQuestion, nameOf, type Shape, shapeOf } from '../markets/known.ts';
import { periodName, periodOf } from '../markets/periods.ts';
import { withSign } from '../written-numbers.ts';
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
    ...(oddsAmerican === null ? [] : [withSign(oddsAmerican)]),
    ...(stakeUnits === null ? [] : [`${stakeUnits}u`]),
    ...(book === null ? [] : [book]),
  ].join(' ');
}

/** Writes a bet's selection in words: the text of its pick. */
export function selectionWords(
  bet: Omit<BetReading, 'startsAt' | 'oddsAmerican' | 'stakeUnits' | 'book'> & Partial<BetReading>,
): string {
  const { sport, market, subject, side, line, away, home } = bet;
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
      const points = line === 0 ? 'PK' : withSign(line ?? 0);
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
      return side === 'home_or_away' ? `${home} ${prefix}or ${away}` : `${team} ${prefix}or draw`;
    default:
      return isQuestion(market)
        ? `${subject} ${name}${side === 'yes' ? '' : ' no'} (${game})`
        : `${subject} ${side} ${line === null ? '' : `${line} `}${name} (${game})`;
  }
}

/** The sides of each shape of market. */
const usual: Readonly<Record<Shape, RegExp>> = {
  team: /^(?:home|away|draw)$/,
  spread: /^(?:home|away)$/,
  overUnder: /^(?:over|under)$/,
  teamOverUnder: /^(?:home|away)_(?:over|under)$/,
  teamOrDraw: /^(?:home_or_draw|away_or_draw|home_or_away)$/,
  yesNo: /^$/,
  other: /^$/,
};

/**
 * Writes the bet of a pick or a group for readers, beside the title of its game: `Foxes +3.5`, `over 8.5`, `Draw`. The capper's text never
 * replaces it (docs/rules/bet-text.md#the-bet-and-the-words).
 * @param lines one, or the least and the greatest of a group; none without a line
 * @param opponents undefined if the title names none
 */
export function betWords(
  { sport, market, subject, side }: Pick<BetReading, 'sport' | 'market' | 'subject' | 'side'>,
  lines: readonly number[],
  opponents: { away: string; home: string } | undefined,
): string {
  const { whole, period } = periodOf(market);
  const part = period === undefined ? '' : `${periodName(period)} `;
  const { home, away } = opponents ?? { home: 'Home', away: 'Away' };
  const team = side.startsWith('home') ? home : side.startsWith('away') ? away : side;
  const name = nameOf(whole);
  const shape = shapeOf(sport, whole);
  const isTotal = /(?:^|_)(?:over|under)$/.test(side);
  const lineOf = (line: number) =>
    shape === 'spread' && line === 0
      ? 'PK'
      : (marketNamed(market)?.line?.text(line) ?? (isTotal ? String(line) : withSign(line)));
  const line = [...new Set(lines)].map(lineOf).join(' to ');
  const words = (...all: string[]) =>
    all
      .filter((word) => word !== '')
      .join(' ')
      .replace(/\s+/g, ' ');
  // A side that a market of this shape has not is written as it is.
  switch (shape !== undefined && usual[shape].test(side) ? shape : undefined) {
    case 'team': {
      const own = whole === 'moneyline' ? '' : name;
      if (side === 'draw') return words(part === '' ? 'Draw' : `${part}draw`, own, line);
      return words(team, part, own || 'ML', line);
    }
    case 'spread':
      return words(team, part, line, whole === 'spread' ? '' : name);
    case 'overUnder':
      return words(part, side, line, whole === 'total' ? '' : name);
    case 'teamOverUnder':
      return words(team, part, 'team total', side.replace(/^.*_/, ''), line);
    case 'teamOrDraw':
      return words(team, part, 'or', side === 'home_or_away' ? away : 'draw', line);
  }
  const said = side.replaceAll('_', ' ');
  const about = aboutOf(market);
  if (shape !== undefined || about === 'game') return words(part, `${name}:`, said, line);
  if (about === undefined && marketIn(sport, market) === undefined)
    return words(`${subject ?? name}:`, said, line);
  return isQuestion(market)
    ? words(subject ?? '', name, side === 'yes' ? '' : said, line)
    : words(subject ?? '', said, line, name);
}
