import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { verdictWords } from '../rules/verdict.ts';

/** Schema of a {@link Verdict}. */
export const verdictSchema = Type.Object(
  {
    word: Type.Enum(verdictWords),
    sentence: Type.String({ description: 'The reason.' }),
    missing: nullable(Type.String({ description: 'What a better verdict needs; null if nothing.' })),
  },
  {
    title: 'Verdict',
    description: 'Skill by live picks at prices on offer, in the sport and market of the request.',
  },
);

/** A record of a capper, a window, or all picks, as every board shows it. */
export const recordSchema = Type.Object(
  {
    picks: Type.Integer({ description: 'Settled picks that count.' }),
    wins: Type.Integer(),
    losses: Type.Integer(),
    pushes: Type.Integer(),
    voids: Type.Integer(),
    record: Type.String({ description: 'Wins, losses, and pushes: `W-L-P`.' }),
    hitRatePct: nullable(Type.Number()),
    unitsNet: Type.Number(),
    unitsStaked: Type.Number({ description: 'Units staked on picks that won or lost.' }),
    roiPct: nullable(Type.Number()),
    breakEvenPct: nullable(
      Type.Number({
        description:
          'Average of `100 / decimal odds` over wins and losses: the hit rate needed to break even.',
      }),
    ),
    averageOddsAmerican: nullable(Type.Integer({ description: 'The American odds with that break-even.' })),
    flatUnits: nullable(
      Type.Number({
        description: 'Net units of one unit on each win and loss, half a unit on half results.',
      }),
    ),
    yieldPct: nullable(Type.Number({ description: 'What those flat stakes earned, in percent of them.' })),
    yieldLowPct: nullable(Type.Number({ description: 'Low end of the 95% interval of `yieldPct`.' })),
    yieldHighPct: nullable(Type.Number({ description: 'High end.' })),
    clvMeanBps: nullable(Type.Number()),
    clvSample: Type.Integer({ description: 'Picks that closed at the line taken.' }),
    clvSameLineSample: Type.Integer({ description: 'The same number as `clvSample`.' }),
    clvMovedSample: Type.Integer({
      description: 'Picks whose line moved; not in `clvMeanBps`.',
    }),
    edgeMeanPct: nullable(
      Type.Number({
        description: 'Expected value of the odds taken at the no-vig closing probability.',
      }),
    ),
    edgeSample: Type.Integer({ description: 'Picks with an edge, including those whose line moved.' }),
    importedPicks: Type.Integer({
      description: 'How many of `picks` were imported, so their times are not proven.',
    }),
    latePicks: Type.Integer({ description: 'How many of `picks` no checkpoint included before the start.' }),
    unchecked: Type.Integer({ description: 'How many of `picks` had no prices to compare with.' }),
    aboveMarket: Type.Integer({
      description:
        'Settled picks that count at the price that could be had, because their odds were above it.',
    }),
    unseen: Type.Integer({
      description:
        'Further settled picks that count in no other field: there were no odds to compare theirs with.',
    }),
  },
  { title: 'Record' },
);
