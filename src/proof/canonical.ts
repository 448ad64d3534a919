/** Maximum nesting. Far above the needs of bodies and entries; it also stops the recursion on cyclic values. */
const MAX_DEPTH = 32;

/**
 * Returns the canonical JSON text of a value, by RFC 8785 (JSON Canonicalization Scheme): no white space, keys sorted by UTF-16 code units.
 * Accepts only strings, safe integers, booleans, null, arrays, and plain objects (docs/rules/ledger.md), a subset of the RFC. Rejects
 * values that `JSON.stringify` would drop or convert.
 *
 * @throws TypeError naming the path of any other value: a fraction, undefined, a lone surrogate, a date, a hole in an array
 */
export function canonical(value: unknown): string {
  return write(value, '$', MAX_DEPTH);
}

/**
 * Parses a text that must already be canonical. Writes the value again and compares, which rejects everything that `JSON.parse` tolerates:
 * duplicate keys, white space, `1e2`, `-0`.
 *
 * @throws SyntaxError if the text is not canonical
 */
export function parseCanonical(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (rewritten(value) !== text) throw new SyntaxError('the text is not canonical JSON');
  return value;
}

function rewritten(value: unknown): string | null {
  try {
    return canonical(value);
  } catch {
    return null;
  }
}

function write(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isSafeInteger(value)) throw new TypeError(`${path} is ${value}, not a safe integer`);
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (depth === 0) throw new TypeError(`${path} is nested too deeply`);
      return Array.isArray(value) ? writeArray(value, path, depth - 1) : writeObject(value, path, depth - 1);
    default:
      throw new TypeError(`${path} is ${typeof value}, which has no canonical form`);
  }
}

/** Printable ASCII that needs no escape: all but quotation mark and backslash. */
const plain = /^[ !#-[\]-~]*$/;

/** RFC 8785 section 3.2.2.2 adopts the escapes of ECMAScript, so `JSON.stringify` writes them. */
function writeString(text: string, path: string): string {
  if (plain.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError(`${path} has a lone surrogate`);
  return JSON.stringify(text);
}

function writeArray(list: readonly unknown[], path: string, depth: number): string {
  let text = '[';
  // A loop over indexes: `map` would skip the holes of a sparse array.
  for (let i = 0; i < list.length; i += 1)
    text += (i === 0 ? '' : ',') + write(list[i], `${path}[${i}]`, depth);
  return `${text}]`;
}

function writeObject(value: object, path: string, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (
    (prototype !== Object.prototype && prototype !== null) ||
    Object.getOwnPropertySymbols(value).length > 0
  ) {
    throw new TypeError(`${path} is not a plain object`);
  }
  const object = value as Record<string, unknown>;
  let text = '{';
  // `sort` compares UTF-16 code units by default, as RFC 8785 section 3.2.3 requires.
  for (const key of Object.keys(object).sort())
    text += `${text === '{' ? '' : ','}${writeString(key, path)}:${write(object[key], `${path}.${key}`, depth)}`;
  return `${text}}`;
}
