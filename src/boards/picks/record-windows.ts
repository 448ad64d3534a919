import { Type } from '../../platform/type.ts';
import { windowTallies } from '../../projections/rollups.ts';
import { tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf } from '../../rules/tally.ts';
import { windows } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import { provenance } from '../params.ts';
import { recordSchema } from '../record.ts';

export const recordWindows = board({
  path: '/api/record/windows',
  group: 'picks',
  about: 'The record of all picks over the last 7, 30, and 90 ET days and over all time.',
  params: Type.Object({ provenance }),
  tags: () => [tags.settled],
  ahead: [{}],
  body: Type.Object({
    windows: Type.Object({ '7d': recordSchema, '30d': recordSchema, '90d': recordSchema, all: recordSchema }),
  }),
  examples: [{}, { provenance: 'live' }],
  async compute({ database, now }, { provenance }) {
    const tallies = await windowTallies(database, windows, etDay(now), { provenance });
    return {
      windows: {
        '7d': recordOf(tallies['7d']),
        '30d': recordOf(tallies['30d']),
        '90d': recordOf(tallies['90d']),
        all: recordOf(tallies.all),
      },
    };
  },
});
