import type { BetReading } from './bet.ts';
import type { Parse } from './parse.ts';
import { isStatLine } from './plausible.ts';
import { isQuestion } from './statistics.ts';
import { countedByTeams } from './words.ts';

/** Reports whether the text names a market that exists only for players. */
export function isPlayerQuestion(parse: Parse, sport: string): boolean {
  const meant = parse.statistic?.bySport.get(sport) ?? [];
  return meant.length > 0 && !meant.some((market) => countedByTeams.has(market));
}

/** Returns the bet on a player in a market; undefined if the text lacks its side or line. */
export function playerBet(
  parse: Parse,
  sport: string,
  market: string,
  subject: string,
  line: number | null,
  bet: (
    market: string,
    side: string,
    points: number | null,
    subject: string,
  ) => { bet: Omit<BetReading, 'oddsAmerican' | 'stakeUnits' | 'book'>; sure: boolean },
) {
  const side = parse.side;
  if (isQuestion(market)) {
    if (side !== undefined && line === 0.5) return bet(market, side === 'over' ? 'yes' : 'no', null, subject);
    return side === undefined && line === null
      ? bet(market, parse.answer ?? 'yes', null, subject)
      : undefined;
  }
  // `Doe TD` asks for a touchdown, `Doe HR` for a home run.
  if (side === undefined && line === null) {
    if (market === 'player_tds_over') return bet('player_anytime_td', parse.answer ?? 'yes', null, subject);
    return market === 'batter_home_runs' ? bet(market, 'over', 0.5, subject) : undefined;
  }
  if (side === undefined || line === null || parse.lines.some(({ isSigned }) => isSigned)) return undefined;
  if (market === 'player_tds_over' && line === 0.5)
    return bet('player_anytime_td', side === 'over' ? 'yes' : 'no', null, subject);
  return isStatLine(sport, market, line) ? bet(market, side, line, subject) : undefined;
}
