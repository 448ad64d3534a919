import { readResult } from '../intake/cells.ts';
import type { ResultRow } from '../intake/result.ts';

import type { BetReading } from '../rules/bet-text/bet.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { gradeByScore } from '../rules/grading.ts';
import { gradingScoreName } from '../rules/units.ts';

import { RowRefused } from './row.ts';
import type { RowGame } from './row-games.ts';

/**
 * Compares the result of a row with the score.
 * @returns a result event, if no score can grade the bet
 * @throws RowRefused
 */
export function resultOf(
  written: string,
  bet: BetReading,
  game: RowGame,
  notes: string[],
): Pick<ResultRow, 'result' | 'half'> | undefined {
  const read = readResult(written);
  if (read === undefined) throw new RowRefused(`${written} is not a result.`);
  if (read === 'open') return undefined;
  if (read === 'cashout') {
    notes.push('The bet was cashed out before it ended, so the score will decide its result.');
    return undefined;
  }
  const said = `${read.half ? 'half a ' : ''}${read.result}`;
  if (gradingScoreName(bet.market, bet.sport) === null) return read.half ? read : { result: read.result };
  if (game.status === undefined || game.status === 'scheduled' || game.status === 'postponed') {
    notes.push(`The sheet says ${said}. The pick stays open until its game has a score.`);
    return undefined;
  }
  const graded =
    game.status === 'cancelled'
      ? { result: 'void' as const, half: false }
      : gradeByScore({
          ...game,
          sport: bet.sport,
          market: bet.market,
          side: bet.side,
          lineE3: lineToE3(bet.line),
        });
  if (graded !== null && (graded.result !== read.result || graded.half !== read.half))
    notes.push(
      `The sheet says ${said}, the score ${graded.half ? 'half a ' : ''}${graded.result}. The score counts.`,
    );
  return undefined;
}
