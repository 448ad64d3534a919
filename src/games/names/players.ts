import type { Database } from '../../platform/database.ts';
import { plainLetters } from '../../rules/plain-name.ts';
import { playerAliases } from './aliases.ts';

/** Aliases of a sport's players: alias to player, both in normal form. */
export type PlayerAliases = ReadonlyMap<string, string>;

/**
 * Returns the normal form of a player's name or other subject: without case, accents, punctuation, and spaces. Punctuation next to a digit
 * stays, because 2.5 is not 25.
 */
export function subjectForm(name: string): string {
  return wordsOf(name).replaceAll(' ', '') || name;
}

function wordsOf(name: string): string {
  const text = plainLetters(name);
  const isDigit = (character: string | undefined) => character !== undefined && /\p{N}/u.test(character);
  return text
    .replace(/[^\p{L}\p{N}]+/gu, (run: string, at: number) => {
      const [before, after] = [isDigit(text[at - 1]), isDigit(text[at + run.length])];
      if (!before && !after) return ' ';
      const marks = run.replace(/\s+/g, '');
      return marks === '' && before && after ? '_' : marks;
    })
    .trim();
}

/** A name split into base and suffix, such as `jr`, which is often omitted. */
interface NameForm {
  base: string;
  suffix: string | null;
}

function partsOf(name: string): NameForm {
  const [, words = '', suffix = null] = /^(.+) (jr|sr|ii|iii|iv)$/.exec(wordsOf(name)) ?? [];
  return suffix === null ? { base: subjectForm(name), suffix } : { base: words.replaceAll(' ', ''), suffix };
}

/** Marks a name that fits several players. */
export const severalPlayers = Symbol('several players');

/**
 * Finds the player that a name means: the one with the same normal form or alias, or else the one whose name differs only by an omitted
 * suffix. Does not guess: an initial does not match a first name.
 */
export function playerNamed<Player extends { names: readonly string[] }>(
  name: string,
  players: readonly Player[],
  aliases: PlayerAliases,
): Player | typeof severalPlayers | undefined {
  const keyOf = (form: string) => aliases.get(form) ?? form;
  const key = keyOf(subjectForm(name));
  const same = players.filter(({ names }) => names.some((each) => keyOf(subjectForm(each)) === key));
  if (same.length > 0) return same.length === 1 ? same[0] : severalPlayers;
  const own = partsOf(name);
  const close = players.filter(({ names }) => {
    const others = names.map(partsOf).filter(({ base }) => keyOf(base) === keyOf(own.base));
    return others.length > 0 && (own.suffix === null || others.every(({ suffix }) => suffix === null));
  });
  return close.length > 1 ? severalPlayers : close[0];
}

/** Returns up to three players that a name can mean in another spelling: those with a word of it, most shared words first. */
export function nearPlayers(name: string, players: readonly { names: readonly string[] }[]): string[] {
  const words = new Set(
    wordsOf(name)
      .split(' ')
      .filter((word) => word.length > 2),
  );
  return players
    .flatMap(({ names: [shown = ''] }) => {
      const shared = wordsOf(shown)
        .split(' ')
        .filter((word) => words.has(word)).length;
      // A provider's text is only repeated if it is a name.
      return shared === 0 || !/^[\p{L}\p{M} .'’-]+$/u.test(shown) ? [] : [{ shown, shared }];
    })
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ shown }) => shown);
}

export async function playerAliasesOf(database: Database, sport: string): Promise<PlayerAliases> {
  const rows = await playerAliases.read(database, sport);
  return new Map(rows.map(({ alias, player }) => [alias, player]));
}
