import type { Parse, Span } from './parse.ts';
import { versus } from './words.ts';

/**
 * Returns the teams that the bet can be on. If the text names two, it may mark one as the opponent: `Gulls -3 vs Foxes`, `Gulls @ Foxes:
 * Gulls -3`.
 */
export function teamsMeant(parse: Parse, game: number, spans: readonly Span[]): ('away' | 'home')[] {
  if (spans.length === 0) return [];
  if (spans.length === 1) return rolesOf(game, spans[0]!);
  // Two adjacent teams name the game; a third name is the team of the bet.
  const alone: Span[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const [one, two] = [spans[at]!, spans[at + 1]];
    const isPair =
      two !== undefined && isSeparator(parse, one.to, two.from) && areBothNamed(game, [one, two]);
    if (isPair) at += 1;
    else alone.push(one);
  }
  const open = alone.length > 0 ? alone : spans;
  const leading = open.filter((span) => !isOpponent(parse, span));
  const chosen = alone.length === 0 ? open : leading.length > 0 ? leading : open;
  return [...new Set(chosen.flatMap((span) => rolesOf(game, span)))];
}

/** Reports whether only separators such as `vs` lie between two names. A colon ends the names of the game. */
function isSeparator(parse: Parse, from: number, to: number): boolean {
  const between = parse.tokens.slice(from, to);
  return between.every(
    ({ raw }, at) => versus.has(parse.keys[from + at]!) || /^(?:[@/,&]|at|-|and)$/i.test(raw),
  );
}

function isOpponent(parse: Parse, { from }: Span): boolean {
  const before = parse.tokens[from - 1];
  const isBracket = before?.raw === '(';
  const key = isBracket ? parse.keys[from - 2] : parse.keys[from - 1];
  const raw = isBracket ? parse.tokens[from - 2]?.raw : before?.raw;
  return versus.has(key ?? '') || /^(?:@|at)$/i.test(raw ?? '');
}

/** Reports whether one name belongs to the away team and another to the home team. */
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
