// `npm run fit`: fits the parameters of `src/rules/margin-model.ts` to the earlier half of the games in REAL_DATA. The loss is the log loss
// of bets at lines near the closing one. Prints the parameters next to those of all games, and how far chance moves these.

import { oneOf, randomOf } from '../../src/demo/random.ts';
import { chanceByModel, type ScoreModel } from '../../src/rules/margin-model.ts';
import { realData } from '../support/folders.ts';
import { type ClosedGame, closedGames, type MovedBet, movedBets, split } from './closed-games.ts';

const folder = realData();
if (folder === undefined) throw new Error('There is no REAL_DATA to fit to. Set it to a folder of data.');

type Model = (value: number) => ScoreModel;

/** The fitted parameters: a parameter of a sport's model, the market that determines it, and the values tried. */
const fits: {
  sport: string;
  name: string;
  market: ClosedGame['market'];
  moves: number;
  values: number[];
  model: Model;
}[] = [
  ...['nfl', 'nba'].flatMap((sport) => [
    {
      sport,
      name: 'marginSd',
      market: 'spread' as const,
      moves: 7,
      values: steps(8, 20, 0.1),
      model: normal,
    },
    { sport, name: 'totalSd', market: 'total' as const, moves: 7, values: steps(8, 24, 0.1), model: normal },
  ]),
  {
    sport: 'nhl',
    name: 'scored',
    market: 'spread',
    moves: 3,
    values: steps(4, 9, 0.1),
    model: counts(1, false),
  },
  {
    sport: 'soccer',
    name: 'scored',
    market: 'spread',
    moves: 2,
    values: steps(2, 4, 0.1),
    model: counts(1, true),
  },
  {
    sport: 'nhl',
    name: 'dispersion',
    market: 'total',
    moves: 2,
    values: steps(1, 2, 0.05),
    model: dispersed(6, false),
  },
  {
    sport: 'soccer',
    name: 'dispersion',
    market: 'total',
    moves: 2,
    values: steps(1, 2, 0.05),
    model: dispersed(2.7, true),
  },
  {
    sport: 'mlb',
    name: 'dispersion',
    market: 'total',
    moves: 3,
    values: steps(1, 3, 0.05),
    model: dispersed(9, false),
  },
  {
    sport: 'mlb',
    name: 'scored',
    market: 'spread',
    moves: 3,
    values: steps(6, 14, 0.2),
    model: counts(2, false),
  },
];

function normal(sd: number): ScoreModel {
  return { kind: 'normal', marginSd: sd, totalSd: sd };
}

function counts(dispersion: number, draws: boolean): Model {
  return (scored) => ({ kind: 'counts', scored, dispersion, draws });
}

function dispersed(scored: number, draws: boolean): Model {
  return (dispersion) => ({ kind: 'counts', scored, dispersion, draws });
}

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** Returns the log loss of a game's bets at lines near the closing one under a model, and how many of them are decided. */
function lossOf(game: ClosedGame, moves: number, model: ScoreModel): { loss: number; decided: number } {
  const near = steps(-moves, moves, 1).filter((move) => move !== 0);
  const bets = movedBets([game], near, ({ market, line, chance }, at) =>
    chanceByModel(
      model,
      { market, side: market === 'spread' ? 'home' : 'over' },
      { lineE3: line * 1000, chance },
      at * 1000,
    ),
  );
  const of = ({ chance, won }: MovedBet) => -Math.log(Math.max(1e-9, won ? chance : 1 - chance));
  return {
    loss: bets.reduce((sum, bet) => sum + bet.decided * of(bet), 0),
    decided: bets.reduce((sum, { decided }) => sum + decided, 0),
  };
}

/** Number of samples of the games, with repetition, whose fits show how far chance moves a parameter. */
const samples = 400;

const all = closedGames(folder);
for (const { sport, name, market, moves, values, model } of fits) {
  const games = all.filter((game) => game.sport === sport && game.market === market);
  const losses = new Map(
    games.map((game) => [game, values.map((value) => lossOf(game, moves, model(value)))] as const),
  );
  const best = (of: readonly ClosedGame[]) => {
    const sums = values.map((_, at) => {
      const each = of.map((game) => losses.get(game)![at]!);
      return (
        each.reduce((sum, { loss }) => sum + loss, 0) / each.reduce((sum, { decided }) => sum + decided, 0)
      );
    });
    return values[sums.indexOf(Math.min(...sums))]!;
  };
  const { fitted } = split(games);
  const random = randomOf(`${sport} ${name}`);
  const found = Array.from({ length: samples }, () => best(games.map(() => oneOf(random, games))));
  const [low, high] = [0.025, 0.975].map((part) => found.sort((a, b) => a - b)[Math.floor(part * samples)]!);
  const [earlier, whole] = [best(fitted), best(games)].map((value) => value.toFixed(2));
  process.stdout.write(
    `${sport} ${name}: ${earlier} on the earlier ${fitted.length} games, ${whole} on all ${games.length} (95%: ${low!.toFixed(2)} to ${high!.toFixed(2)})\n`,
  );
}
