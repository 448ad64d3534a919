import { readPlayerAliases, subjectForm } from '../../games/names/players.ts';
import { isAboutPlayer } from '../../games/subjects.ts';
import type { BoardContext } from '../context.ts';
import { either, nameQuery, suggestionFor, wordsOf } from '../search/words.ts';
import { slugOf } from './entity.ts';

/** A player with picks in a sport. */
export interface Player {
  sport: string;
  name: string;
}

/** Maximum number of spellings that a search reads. */
const mostFound = 500;

export function playerPath({ sport, name }: Player): string {
  return `/player/${sport}/${encodeURIComponent(slugOf(name, subjectForm))}`;
}

/**
 * Returns the subjects of picks that mean a player, by any spelling or alias (docs/rules/player-markets.md#names). A subject is the same
 * text in every game, so picks are found by it.
 */
export async function subjectsNamed(
  database: BoardContext['database'],
  name: string,
  sport?: string,
): Promise<string[]> {
  const aliases = await readPlayerAliases(database, sport);
  const form = subjectForm(name);
  const meant = [form, ...aliases.filter(({ alias }) => alias === form).map(({ player }) => player)];
  const forms = [
    ...meant,
    ...aliases.filter(({ player }) => meant.includes(player)).map(({ alias }) => alias),
  ];
  return database('subjects')
    .whereRaw('form = any(?::text[])', [[...new Set(forms)]])
    .distinct()
    .pluck('subject');
}

/** Returns the markets about players in which picks have one of the subjects. */
export async function marketsOf(
  database: BoardContext['database'],
  sport: string,
  subjects: readonly string[],
): Promise<string[]> {
  const markets: string[] = await database('board_picks')
    .where({ sport })
    .whereRaw('subject = any(?::text[])', [[...subjects]])
    .distinct()
    .pluck('market');
  return markets.filter(isAboutPlayer);
}

/** Returns players with picks whose names match a query of words, by sport and name. @param query as of `nameQuery` */
export async function playersNamed(
  database: BoardContext['database'],
  query: string,
  sport?: string,
): Promise<Player[]> {
  const { rows }: { rows: (Player & { market: string })[] } = await database.raw(
    `select distinct b.sport, s.subject as name, b.market
     from (select distinct subject from subjects where words_of(subject) @@ to_tsquery('simple', :query) limit :most) s
     join board_picks b on b.subject = s.subject where b.sport = coalesce(:sport, b.sport)`,
    { query, most: mostFound, sport: sport ?? null },
  );
  const players = new Map(
    rows
      .filter(({ market }) => isAboutPlayer(market))
      .map(({ sport: key, name }) => [`${key}/${subjectForm(name)}`, { sport: key, name }]),
  );
  return [...players.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, player]) => player);
}

/** Returns up to three players whose names resemble an unknown one: those with a word of it, or with similar words. */
export async function similarPlayers(
  database: BoardContext['database'],
  { sport, name }: Player,
): Promise<string[]> {
  const words = wordsOf((await suggestionFor(database, name)) ?? name).filter((word) => word.length > 2);
  const queries = await Promise.all(words.map((word) => nameQuery(database, word)));
  const asked = queries.filter((query) => query !== undefined);
  if (asked.length === 0) return [];
  const players = await playersNamed(database, either(asked), sport);
  const shared = (known: string) => wordsOf(known).filter((word) => words.includes(word)).length;
  return players
    .map((player) => player.name)
    .sort((a, b) => shared(b) - shared(a))
    .slice(0, 3);
}
