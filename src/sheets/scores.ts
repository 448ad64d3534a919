import type { PastBetGame } from '../games/bet-games.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { type GameScores, gradeByScore } from '../rules/grading.ts';
import type { Outcome } from '../rules/markets/market.ts';
import type { Cells } from './cells.ts';
import { scorePattern } from './columns.ts';
import type { MadeGame } from './row-games.ts';
import { roleIn } from './said.ts';
import type { Sheet } from './sheet.ts';

type Score = Partial<Pick<GameScores, 'homeScore' | 'awayScore' | 'homeHalfScore' | 'awayHalfScore'>>;

/** A score in a row, with its first number that of the home team, and with its second. */
export interface WrittenScore {
  text: string;
  ways: readonly [Score, Score];
  /** The answer that chooses between them; undefined if the columns do. */
  order: 'home' | 'score' | undefined;
}

/** The meaning of the first number of a score whose order is open. */
export const orders = {
  home: ['first is home', 'second is home'],
  score: ['home first', 'away first'],
} as const;

/** A row's bet, and the score in the row. */
export interface Scored {
  bet: BetReading;
  game: PastBetGame;
  made: MadeGame | undefined;
  written: WrittenScore | undefined;
  own: Outcome | undefined;
}

/** The way to read each kind of score whose order is open: the meaning of the first number among {@link orders}. */
export type Decided = Record<'home' | 'score', 0 | 1 | undefined>;

/** Decides the order of the scores whose order is open, by the rows' own results. */
export function orderScores(drafts: readonly Scored[], { choices, guesses, questions }: Sheet): Decided {
  const decided: Decided = { home: undefined, score: undefined };
  for (const key of ['home', 'score'] as const) {
    const open = drafts.filter(({ written }) => written?.order === key);
    const depending = open.filter((draft) => !isSameEitherWay(draft));
    const [first] = depending;
    if (open.length === 0) continue;
    const said = orders[key].indexOf(choices.answers.get(key) as never);
    const [one, other] = ([0, 1] as const).map(
      (way) =>
        depending.filter(
          (draft) => draft.own !== undefined && gradedBy(draft, way)?.result === draft.own.result,
        ).length,
    ) as [number, number];
    const proven = Math.max(one, other) > 0 && Math.min(one, other) <= Math.max(one, other) * 0.1;
    // In soccer the home team comes first.
    const isSoccer = key === 'score' && open.every(({ bet }) => bet.sport === 'soccer');
    const way = (said >= 0 ? said : proven ? Number(one <= other) : isSoccer ? 0 : undefined) as 0 | 1;
    decided[key] = way;
    if (way !== undefined && said < 0)
      guesses.push(`Of the scores, ${orders[key][way]}${proven ? ', because the results fit' : ''}.`);
    else if (way === undefined && first !== undefined)
      questions.push({
        key,
        text:
          key === 'home'
            ? `Is the first or the second team of ${first.bet.game.split(' @ ').toReversed().join(' vs ')} at home (${depending.length} rows)?`
            : `Do scores such as ${first.written!.text} have the home or the away team first?`,
        choices: orders[key],
        otherwise: 'Bets that depend on it are refused.',
      });
  }
  return decided;
}

export function scoreOf(
  cell: Cells,
  game: PastBetGame,
  made: MadeGame | undefined,
  notes: string[],
): WrittenScore | undefined {
  const [home, away] = [cell('homeScore'), cell('awayScore')];
  const [, one, two] = scorePattern.exec(cell('score')) ?? [];
  const halves = scorePattern.exec(cell('halfScore'))?.slice(1).map(Number);
  const written = (first: number, second: number, order: WrittenScore['order']): WrittenScore => {
    const way = (at: 0 | 1): Score => {
      const [homeScore, awayScore] = at === 0 ? [first, second] : [second, first];
      const half = halves && { homeHalfScore: halves[at]!, awayHalfScore: halves[1 - at]! };
      return { homeScore, awayScore, ...half };
    };
    return { text: `${first}-${second}`, ways: [way(0), way(1)], order };
  };
  if (/^\d{1,3}$/.test(home) && /^\d{1,3}$/.test(away))
    return written(Number(home), Number(away), made?.isHomeGuessed === true ? 'home' : undefined);
  if (one !== undefined && two !== undefined) return written(Number(one), Number(two), 'score');
  const role = roleIn(cell('team'), game);
  const [own, others] = [cell('teamScore'), cell('opponentScore')];
  if (role !== undefined && /^\d{1,3}$/.test(own) && /^\d{1,3}$/.test(others)) {
    const [first, second] = role === 'home' ? [own, others] : [others, own];
    return written(Number(first), Number(second), undefined);
  }
  const said = [home, away, cell('score')].filter((text) => text !== '');
  if (said.length > 0 && game.status !== 'final')
    notes.push(`${said.join(' and ')} is not a score, so none is read.`);
  return undefined;
}

/** Grades a draft by the score of its game: the stored one, or its own if the game is new. */
export function gradedBy({ bet, game, made, written }: Scored, way: 0 | 1): Outcome | undefined {
  if (game.status === 'cancelled') return { result: 'void', half: false };
  const own = made === undefined ? undefined : written?.ways[way];
  if (own === undefined && game.status !== 'final') return undefined;
  const { sport, market, side } = bet;
  return gradeByScore({ ...game, ...own, sport, market, side, lineE3: lineToE3(bet.line) }) ?? undefined;
}

export function isSameEitherWay(draft: Scored): boolean {
  const [one, other] = [gradedBy(draft, 0), gradedBy(draft, 1)];
  return one?.result === other?.result && one?.half === other?.half;
}
