import { Type } from 'typebox';
import { nullable } from '../platform/schema.ts';

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
    clvMeanBps: nullable(Type.Number()),
    clvSample: Type.Integer({ description: 'Picks with a closing price.' }),
    clvSameLineSample: Type.Integer({ description: 'Those of them whose line had not moved.' }),
    importedPicks: Type.Integer({
      description: 'Those of `picks` that were imported: their times are claims.',
    }),
    latePicks: Type.Integer({ description: 'Those of `picks` that no checkpoint covered before the start.' }),
  },
  { title: 'Record' },
);
