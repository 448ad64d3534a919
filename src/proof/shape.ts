/** Checks that a value has a shape. Throws a TypeError whose message begins with the path of what has not. */
export type Rule = (value: unknown, path: string) => void;

/** An object with exactly these keys: one more, one less or an `undefined` one is a fault. */
export function shape<T>(
  rules: { readonly [K in keyof T]-?: Rule },
): (value: unknown, path: string) => asserts value is T {
  const expected = Object.entries<Rule>(rules);
  return (value, path) => {
    const object = plainObject(value, path);
    for (const [key, rule] of expected) {
      if (!Object.hasOwn(object, key)) throw new TypeError(`${path}.${key} is missing`);
      rule(object[key], `${path}.${key}`);
    }
    for (const key of Object.keys(object)) {
      if (!Object.hasOwn(rules, key)) throw new TypeError(`${path}.${key} is not a field of this object`);
    }
  };
}

/** Any object but an array. */
export function plainObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} must be an object`);
  }
  return value as Record<string, unknown>;
}

export function list(rule: Rule, longest = Number.POSITIVE_INFINITY): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) throw new TypeError(`${path} must be a list`);
    if (value.length > longest) throw new TypeError(`${path} must have at most ${longest} items`);
    for (let i = 0; i < value.length; i += 1) rule(value[i], `${path}[${i}]`);
  };
}

export function nullable(rule: Rule): Rule {
  return (value, path) => {
    if (value !== null) rule(value, path);
  };
}

/** One of a few texts or numbers. */
export function oneOf(...choices: readonly (string | number)[]): Rule {
  return (value, path) => {
    if (!(choices as readonly unknown[]).includes(value))
      throw new TypeError(`${path} must be ${choices.join(' or ')}`);
  };
}

/** A safe integer within bounds. */
export function integer(
  smallest: number = Number.MIN_SAFE_INTEGER,
  largest: number = Number.MAX_SAFE_INTEGER,
): Rule {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${path} must be an integer`);
    const number = value as number;
    if (number < smallest || number > largest)
      throw new TypeError(`${path} must be from ${smallest} to ${largest}`);
  };
}

function matching(pattern: RegExp, what: string): Rule {
  return (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${path} must be ${what}`);
  };
}

/** Well-formed Unicode that is not empty. */
export const text: Rule = (value, path) => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${path} must be a text`);
};

/** A SHA-256 hash as text. */
export const hash = matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits');

export const uuid = matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a lower-case UUID');

/** An instant that exists, written `YYYY-MM-DDTHH:mm:ss.sssZ` (decisions: Ledger). */
export const instant: Rule = (value, path) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString() !== value) {
    throw new TypeError(`${path} must be an instant written YYYY-MM-DDTHH:mm:ss.sssZ`);
  }
};

/** American odds: an integer, at least 100 from zero and at most 100 000 (decisions: Words and numbers). */
export const americanOdds: Rule = (value, path) => {
  integer(-100_000, 100_000)(value, path);
  if (Math.abs(value as number) < 100) throw new TypeError(`${path} must be at least 100 from zero`);
};
