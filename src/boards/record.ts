import { Field } from '../platform/field-schemas.ts';
import { Type } from '../platform/type.ts';
import type { PickFilter } from '../projections/pick-filter.ts';
import { windowTallies } from '../projections/rollups.ts';
import { etDay } from '../rules/et-day.ts';
import { settledCount } from '../rules/tally.ts';
import { verdictWords } from '../rules/verdict.ts';
import type { BoardContext } from './endpoint.ts';

export const verdictSchema = Type.Object(
  {
    word: Type.Enum(verdictWords),
    sentence: Field.text('The reason.'),
    missing: Field.orNull.text('What a better verdict needs; null if nothing.'),
  },
  {
    title: 'Verdict',
    description: 'Skill by live picks at prices on offer, in the sport and market of the request.',
  },
);

export const recordSchema = Type.Object(
  {
    picks: Field.integer('Settled picks that count.'),
    wins: Field.integer(),
    losses: Field.integer(),
    pushes: Field.integer(),
    voids: Field.integer(),
    record: Field.text('Wins, losses, and pushes: `W-L-P`.'),
    hitRatePct: Field.orNull.number(),
    unitsNet: Field.number(),
    unitsStaked: Field.number('Units staked on picks that won or lost.'),
    roiPct: Field.orNull.number(),
    breakEvenPct: Field.orNull.number(
      'Average of `100 / decimal odds` over wins and losses: the hit rate needed to break even.',
    ),
    averageOddsAmerican: Field.orNull.integer('The American odds with that break-even.'),
    flatUnits: Field.orNull.number(
      'Net units of one unit on each win and loss, half a unit on half results.',
    ),
    yieldPct: Field.orNull.number('What those flat stakes earned, in percent of them.'),
    yieldLowPct: Field.orNull.number('Low end of the 95% interval of `yieldPct`.'),
    yieldHighPct: Field.orNull.number('High end.'),
    clvMeanBps: Field.orNull.number(),
    clvSample: Field.integer('Picks that closed at the line taken.'),
    clvSameLineSample: Field.integer('The same number as `clvSample`.'),
    clvMovedSample: Field.integer('Picks whose line moved; not in `clvMeanBps`.'),
    edgeMeanPct: Field.orNull.number('Expected value of the odds taken at the no-vig closing probability.'),
    edgeSample: Field.integer('Picks with an edge, including those whose line moved.'),
    importedPicks: Field.integer('How many of `picks` were imported, so their times are not proven.'),
    latePicks: Field.integer('How many of `picks` no checkpoint included before the start.'),
    unchecked: Field.integer('How many of `picks` had no prices to compare with.'),
    aboveMarket: Field.integer(
      'Settled picks that count at the price that could be had, because their odds were above it.',
    ),
    unseen: Field.integer(
      'Further settled picks that count in no other field: there were no odds to compare theirs with.',
    ),
  },
  { title: 'Record' },
);

/** Settled live picks above which pages, cards, and the widget show only live records (docs/rules/records.md#on-pages). */
export const enoughLive = 20;

export async function shownProvenance(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  filter: { capperId?: number } & Pick<PickFilter, 'sport'> = {},
): Promise<'live' | 'all'> {
  const { all } = await windowTallies(database, ['all'], etDay(now), { ...filter, provenance: 'live' });
  return settledCount(all) >= enoughLive ? 'live' : 'all';
}
