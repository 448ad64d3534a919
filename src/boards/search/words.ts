import { type TeamAlias, teamAliases } from '../../games/names/aliases.ts';
import { sportsWithTeams } from '../../games/names/league-files.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { nameKey } from '../../rules/plain-name.ts';
import type { BoardContext } from '../endpoint.ts';

/** Maximum number of words in a query. More words rarely narrow the result. */
const maxWords = 8;

/** Splits text into words as the database function `words_of` does: without case, accents, and punctuation. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9\u0080-\uFFFF]+/u);
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Words between two teams in other notations of a game, where names have `@`. */
const between = new Set(['vs', 'v', 'at']);

function wordsAsked(text: string): string[] {
  const words = wordsOf(text);
  return words
    .filter((word, index) => index === 0 || index === words.length - 1 || !between.has(word))
    .slice(0, maxWords);
}

/**
 * Builds a `tsquery` for names that contain all words of a query; undefined without words. A word of two letters or more matches all words
 * that start with it. Another name of a team, from a league or the operator, also matches the team.
 */
export async function nameQuery(
  database: BoardContext['database'],
  text: string,
): Promise<string | undefined> {
  const words = wordsAsked(text);
  if (words.length === 0) return undefined;
  const [aliases, begun] = await Promise.all([teamAliases.read(database), wordsBegun(database, words)]);
  const teams = (name: string) => teamsNamed(name, aliases).map(exactly);
  const all = words.map((word) => either([begun(word), ...teams(word)])).join(' & ');
  return words.length === 1 ? all : either([all, ...teams(text)]);
}

/** Maximum number of known words per prefix; beyond it the query uses the prefix. */
const maxBegun = 30;

/**
 * Returns a function that expands a word to the known words that start with it. The index intersects words, but for a prefix it reads all
 * matching names.
 */
async function wordsBegun(
  database: BoardContext['database'],
  words: readonly string[],
): Promise<(word: string) => string> {
  const { rows }: { rows: { asked: string; known: string[] }[] } = await database.raw(
    `select q.word as asked, array(
       select s.word from search_words s where s.word ~>=~ q.word and s.word ~<~ (q.word || chr(1114111)) limit ?) as known
     from unnest(?::text[]) as q (word)`,
    [maxBegun + 1, words.filter((word) => word.length > 1)],
  );
  const knownOf = new Map(rows.map(({ asked, known }) => [asked, known]));
  return (word) => {
    const known = knownOf.get(word) ?? [];
    return known.length > maxBegun
      ? `'${word}':*`
      : either([...new Set([word, ...known])].map((each) => `'${each}'`));
  };
}

export const exactly = (name: string) =>
  `(${wordsOf(name)
    .map((word) => `'${word}'`)
    .join(' & ')})`;
export const either = (queries: readonly string[]) => `(${queries.join(' | ')})`;

function teamsNamed(name: string, aliases: readonly TeamAlias[]): string[] {
  const key = nameKey(name);
  const given = aliases.filter(({ alias }) => nameKey(alias) === key).map(({ team }) => team);
  const named = [name, ...given].flatMap((each) =>
    sportsWithTeams()
      .map((sport) => teamsOf(sport))
      .filter((teams) => teams.knows(each))
      .map((teams) => teams.fullName(each)),
  );
  return [...new Set([...given, ...named])].filter(
    (team) => team.toLowerCase() !== name.toLowerCase() && wordsOf(team).length > 0,
  );
}

/**
 * Replaces each word of the query that starts no known word with the most similar known word (docs/rules/search.md).
 * @returns null if nothing is similar, every word is known, or the database has no trigrams
 */
export async function suggestionFor(
  database: BoardContext['database'],
  text: string,
): Promise<string | null> {
  const trigrams: { schema: string } | undefined = await database('pg_extension as e')
    .join('pg_namespace as n', 'n.oid', 'e.extnamespace')
    .where('e.extname', 'pg_trgm')
    .first({ schema: database.raw('quote_ident(n.nspname)') });
  if (trigrams === undefined) return null;
  const { schema } = trigrams;
  const words = wordsAsked(text);
  // A range condition, because `like` with a pattern from a parameter cannot use the index.
  const { rows }: { rows: { similar: string | null }[] } = await database.raw(
    `select case when exists (select from search_words s where s.word ~>=~ q.word and s.word ~<~ (q.word || chr(1114111))) then q.word
       else (select s.word from search_words s where s.word operator(${schema}.%) q.word
             order by ${schema}.similarity(s.word, q.word) desc, s.word collate "C" limit 1) end as similar
     from unnest(?::text[]) with ordinality as q (word, at) order by q.at`,
    [words],
  );
  const similar = rows.map((row) => row.similar);
  if (similar.includes(null)) return null;
  const suggestion = similar.join(' ');
  return suggestion === words.join(' ') ? null : suggestion;
}
