/**
 * Reads JSON in which every object has each of its keys once. `JSON.parse` takes the last of several in
 * silence, so that a text could show a reader one value and a program another.
 *
 * @throws SyntaxError when the text is not JSON, or has a key twice
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (keysWritten(text) !== keysIn(value)) throw new SyntaxError('the text has a key twice in one object');
  return value;
}

/** In valid JSON, the strings that are followed by a colon are the keys. */
function keysWritten(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) keys += 1;
  return keys;
}

function keysIn(value: unknown): number {
  let keys = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const values: unknown[] = Object.values(next);
    if (!Array.isArray(next)) keys += values.length;
    for (const inner of values) left.push(inner);
  }
  return keys;
}
