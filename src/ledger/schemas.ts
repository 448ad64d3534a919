import { Type } from '../platform/type.ts';
import { markets } from '../rules/markets/index.ts';
import { priceVerdicts } from '../rules/price-check.ts';
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

export const priceVerdictSchema = Type.Enum(priceVerdicts, {
  title: 'PriceVerdict',
  description:
    '`available`: such a price was on offer. `above_market`: the odds were better than any on offer. `unseen`: no price was seen. `unchecked`: there are no prices for the sport. `above_market` and `unseen` picks count in no record.',
});

export const resultSchema = Type.Enum(results, { title: 'Result' });

/** Whether a capper is verified. */
export const verifiedSchema = Type.Boolean({
  description:
    'Whether the capper is verified today. Picks that a capper posted before stay in every record.',
});

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

/** The labels that the service itself gives, and what a letter of them may be written as. */
const reserved = ['operator', 'author', 'live', 'import', 'demo'];
const lookAlikes: Record<string, string> = {
  o: '[o0]',
  i: '[i1l]',
  l: '[l1i]',
  e: '[e3]',
  a: '[a4]',
  t: '[t7]',
  m: '(?:m|rn)',
};

/** A word with its letters in any look-alike, and separators between them. */
function written(word: string): string {
  return [...word].map((letter) => lookAlikes[letter] ?? letter).join('[-_]*');
}

/**
 * What a label must not match (docs/rules/provenance.md): a reserved word as one or several of its words, digits for letters,
 * separators between letters, an ending and a number at either end included; and `operator` anywhere.
 */
const reservedLabel = [
  written('operator'),
  `(?:^|[-_])[0-9]*(?:${reserved.map(written).join('|')})[-_]*(?:s|d|r|ed|er|rs|ers|ing)?[0-9]*(?:$|[-_])`,
].join('|');

/** The free label of where a pick comes from, as clients and files give it. */
export const sourceLabel = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  not: { pattern: reservedLabel },
  must: `a slug of 1 to 40 lower-case letters, digits, hyphens or underscores, and not ${reserved.slice(0, -1).join(', ')} or ${reserved.at(-1)} or like one of them: those labels are the service's own`,
});
