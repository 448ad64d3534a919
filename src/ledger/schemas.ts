import { Type } from '../platform/type.ts';
import { markets } from '../rules/markets/index.ts';
import { provenances, results, sealedInTimes, tiers } from '../rules/vocabulary.ts';

// A schema with a title is one of the named schemas of the API's description.

export const tierSchema = Type.Enum(tiers, { title: 'Tier' });

export const provenanceSchema = Type.Enum(provenances, {
  title: 'Provenance',
  description: '`live`: posted here and timed by the service. `imported`: from a file, its time is a claim.',
});

export const sealedInTimeSchema = Type.Enum(sealedInTimes, {
  title: 'SealedInTime',
  description:
    '`witnessed`: enough witnesses had cosigned it before the start. `signed`: only the log had. `late`: neither.',
});

export const resultSchema = Type.Enum(results, { title: 'Result' });

/** Sports are rows of a table, so the list is open: these are the ones a new ledger starts with. */
export const sportSchema = Type.String({
  title: 'Sport',
  examples: ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'mma', 'soccer', 'tennis'],
});

/** A market outside the markets' table is settled by a result event: those of the table are examples. */
export const marketSchema = Type.String({ title: 'Market', examples: markets.map(({ name }) => name) });

/** Markets outside the table name their own sides. */
export const sideSchema = Type.String({
  title: 'Side',
  examples: [...new Set(markets.flatMap(({ contests }) => contests(3).flat()))],
});
