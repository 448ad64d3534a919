import type { Said, Span } from './said.ts';
import { versus } from './words.ts';

/**
 * The teams on which the bet can be. Of two that the text names, one is the opponent if something says so: `Gulls -3 vs Foxes`,
 * `Gulls @ Foxes: Gulls -3`.
 */
export function teamsMeant(said: Said, game: number, spans: readonly Span[]): ('away' | 'home')[] {
  if (spans.length === 0) return [];
  if (spans.length === 1) return rolesOf(game, spans[0]!);
  // Two teams beside each other name the game: a third name is the team that the bet is on.
  const alone: Span[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const [one, two] = [spans[at]!, spans[at + 1]];
    const isPair = two !== undefined && isSeparator(said, one.to, two.from) && areBothNamed(game, [one, two]);
    if (isPair) at += 1;
    else alone.push(one);
  }
  const open = alone.length > 0 ? alone : spans;
  const leading = open.filter((span) => !isOpponent(said, span));
  const chosen = alone.length === 0 ? open : leading.length > 0 ? leading : open;
  return [...new Set(chosen.flatMap((span) => rolesOf(game, span)))];
}

/** Whether only marks and words such as `vs` lie between. A dash or colon there ends the names of the game. */
function isSeparator(said: Said, from: number, to: number): boolean {
  const between = said.tokens.slice(from, to);
  return between.every(
    ({ raw }, at) => versus.has(said.keys[from + at]!) || /^(?:[@/,&]|at|-|and)$/i.test(raw),
  );
}

function isOpponent(said: Said, { from }: Span): boolean {
  const before = said.tokens[from - 1];
  const isBracket = before?.raw === '(';
  const key = isBracket ? said.keys[from - 2] : said.keys[from - 1];
  const raw = isBracket ? said.tokens[from - 2]?.raw : before?.raw;
  return versus.has(key ?? '') || /^(?:@|at)$/i.test(raw ?? '');
}

/** Whether some name the away team, and others the home team. */
export function areBothNamed(game: number, spans: readonly Span[]): boolean {
  const roles = spans.map((span) => rolesOf(game, span));
  return (
    roles.length >= 2 && ['away', 'home'].every((role) => roles.some((each) => each.includes(role as 'away')))
  );
}

function rolesOf(game: number, { named }: Span): ('away' | 'home')[] {
  return [
    ...new Set(named.flatMap((each) => (each.game === game && each.role !== 'player' ? [each.role] : []))),
  ];
}
