import { Type } from '../platform/type.ts';
import { markets } from '../rules/markets/index.ts';
import { priceVerdicts } from '../rules/price-check.ts';
import { provenances, results, sealedInTimes, tiers } from '../rules/vocabulary.ts';

// A schema with a title becomes a named schema in the API's OpenAPI document.

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
    '`available`: such a price could be had. `above_market`: the odds were better, and the pick counts at the price that could be had. `unseen`: no price was seen, and the pick counts in no figure. `unchecked`: the service has no provider of prices.',
});

export const resultSchema = Type.Enum(results, { title: 'Result' });

export const verifiedSchema = Type.Boolean({
  description:
    'Whether the capper is verified today. Picks that a capper posted before stay in every record.',
});

/** Sports are rows of a table, so the list is open. The examples are those of a new ledger. */
export const sportSchema = Type.String({
  title: 'Sport',
  examples: ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'mma', 'soccer', 'tennis'],
});

/** The list is open: a result event settles a market that is not declared. The examples are the declared markets. */
export const marketSchema = Type.String({ title: 'Market', examples: markets.map(({ name }) => name) });

/** The list is open: undeclared markets have sides of their own. */
export const sideSchema = Type.String({
  title: 'Side',
  examples: [...new Set(markets.flatMap(({ contests }) => contests(3).flat()))],
});

/** Labels reserved for the service. `lookAlikes` matches the characters that can pass for a letter. */
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

/** Returns a pattern of a word with look-alike letters and with separators between them. */
function written(word: string): string {
  return [...word].map((letter) => lookAlikes[letter] ?? letter).join('[-_]*');
}

/**
 * Matches the labels that only the service uses (docs/rules/provenance.md): a reserved word among the words of the label, also with
 * look-alike letters, separators, an ending, or digits at either end; and `operator` anywhere.
 */
const reservedLabel = [
  written('operator'),
  `(?:^|[-_])[0-9]*(?:${reserved.map(written).join('|')})[-_]*(?:s|d|r|ed|er|rs|ers|ing)?[0-9]*(?:$|[-_])`,
].join('|');

/** A label that says where a pick comes from, given by clients and files. */
export const sourceLabel = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  not: { pattern: reservedLabel },
  must: `a slug of 1 to 40 lower-case letters, digits, hyphens, or underscores, and not similar to ${reserved.slice(0, -1).join(', ')}, or ${reserved.at(-1)}, which only the service assigns`,
});
