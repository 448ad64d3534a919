/**
 * Parses JSON and rejects duplicate keys. `JSON.parse` silently uses the last of them, so a text could show one value to a person and
 * another to a program.
 *
 * @throws SyntaxError if the text is not JSON, or an object has a duplicate key
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (keysWritten(text) !== keysIn(value)) throw new SyntaxError('an object in the text has a duplicate key');
  return value;
}

/** In valid JSON, the keys are the strings followed by a colon. */
function keysWritten(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) keys += 1;
  return keys;
}

function keysIn(value: unknown): number {
  let keys = 0;
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const values: unknown[] = Object.values(next);
    if (!Array.isArray(next)) keys += values.length;
    for (const inner of values) pending.push(inner);
  }
  return keys;
}
