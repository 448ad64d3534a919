import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';

/** A record, as every board shows it: of a capper, a window or all picks. */
export const recordSchema = Type.Object(
  {
    picks: Type.Integer({ description: 'Settled picks.' }),
    wins: Type.Integer(),
    losses: Type.Integer(),
    pushes: Type.Integer(),
    voids: Type.Integer(),
    record: Type.String({ description: 'Wins, losses and pushes: `W-L-P`.' }),
    hitRatePct: nullable(Type.Number()),
    unitsNet: Type.Number(),
    unitsStaked: Type.Number({ description: 'Stakes of wins and losses.' }),
    roiPct: nullable(Type.Number()),
    breakEvenPct: nullable(
      Type.Number({
        description:
          'The mean of `100 / decimal` over wins and losses: the hit rate that their prices ask for.',
      }),
    ),
    averageOddsAmerican: nullable(Type.Integer({ description: 'The price whose break-even that is.' })),
    excessPct: nullable(Type.Number({ description: '`hitRatePct` less `breakEvenPct`.' })),
    excessLowPct: nullable(Type.Number({ description: 'The lower end of its 95 % interval.' })),
    excessHighPct: nullable(Type.Number({ description: 'The upper end.' })),
    roiLowPct: nullable(Type.Number({ description: 'The lower end of the 95 % interval of `roiPct`.' })),
    roiHighPct: nullable(Type.Number({ description: 'The upper end.' })),
    chancePct: nullable(
      Type.Number({
        description:
          'How often as many wins or more come of chance alone, each pick winning as often as its price says.',
      }),
    ),
    clvMeanBps: nullable(Type.Number()),
    clvSample: Type.Integer({ description: 'Picks with a closing price at their own line.' }),
    clvSameLineSample: Type.Integer({ description: 'The same number as `clvSample`.' }),
    clvMovedSample: Type.Integer({
      description: 'Picks whose closing price is at another line: not in `clvMeanBps`.',
    }),
    edgeMeanPct: nullable(
      Type.Number({
        description: 'Expected value of the prices taken against the no-vig closing probability.',
      }),
    ),
    edgeSample: Type.Integer({ description: 'Picks with an edge, those whose line moved included.' }),
    importedPicks: Type.Integer({
      description: 'Those of `picks` that were imported: their times are claims.',
    }),
    latePicks: Type.Integer({ description: 'Those of `picks` that no checkpoint covered before the start.' }),
  },
  { title: 'Record' },
);
