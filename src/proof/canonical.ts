/** Deeper than anything here needs; it also ends a value that contains itself. */
const DEEPEST = 32;

/**
 * The one JSON text of a value, by RFC 8785 (JSON Canonicalization Scheme): no white space, keys in the order
 * of their UTF-16 code units. Values are narrower than the RFC's: strings, safe integers, booleans, null,
 * arrays and plain objects (decisions: Ledger). What JSON would drop or bend is refused instead.
 *
 * @throws TypeError that names the path of anything else: fractions, undefined, lone surrogates, dates, holes
 *   ...
 */
export function canonical(value: unknown): string {
  return write(value, '$', DEEPEST);
}

/**
 * Reads a text that must already be canonical. Whatever `JSON.parse` forgives (a key twice, white space,
 * `1e2`, `-0`) is refused by writing the value again and comparing.
 *
 * @throws SyntaxError when the text is not canonical
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
      if (depth === 0) throw new TypeError(`${path} is nested too deep`);
      return Array.isArray(value) ? writeArray(value, path, depth - 1) : writeObject(value, path, depth - 1);
    default:
      throw new TypeError(`${path} is ${typeof value}, which has no canonical form`);
  }
}

/** RFC 8785 section 3.2.2.2 takes its escapes from ECMAScript, so `JSON.stringify` writes them. */
function writeString(text: string, path: string): string {
  if (!text.isWellFormed()) throw new TypeError(`${path} has a lone surrogate`);
  return JSON.stringify(text);
}

function writeArray(list: readonly unknown[], path: string, depth: number): string {
  // A loop by index, since `map` skips the holes of a sparse array.
  const parts: string[] = [];
  for (let i = 0; i < list.length; i += 1) parts.push(write(list[i], `${path}[${i}]`, depth));
  return `[${parts.join(',')}]`;
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
  // The default order of `sort` is by UTF-16 code units: RFC 8785 section 3.2.3.
  const members = Object.keys(object)
    .sort()
    .map((key) => `${writeString(key, path)}:${write(object[key], `${path}.${key}`, depth)}`);
  return `{${members.join(',')}}`;
}
