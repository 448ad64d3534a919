/** Checks a value. Throws a TypeError whose message starts with the path of the invalid part. */
export type Rule = (value: unknown, path: string) => void;

/** Accepts an object with exactly these keys; an unknown, missing, or `undefined` key is invalid. */
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

/** Accepts any object except an array. */
export function plainObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} must be an object`);
  }
  return value as Record<string, unknown>;
}

export function list(rule: Rule, maxLength = Number.POSITIVE_INFINITY): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) throw new TypeError(`${path} must be a list`);
    if (value.length > maxLength) throw new TypeError(`${path} must have at most ${maxLength} items`);
    for (let i = 0; i < value.length; i += 1) rule(value[i], `${path}[${i}]`);
  };
}

/** Accepts a list of exactly two items. */
export function pair(rule: Rule): Rule {
  return (value, path) => {
    list(rule, 2)(value, path);
    if ((value as unknown[]).length < 2) throw new TypeError(`${path} must have 2 items`);
  };
}

export function nullable(rule: Rule): Rule {
  return (value, path) => {
    if (value !== null) rule(value, path);
  };
}

export const boolean: Rule = (value, path) => {
  if (typeof value !== 'boolean') throw new TypeError(`${path} must be true or false`);
};

/** Accepts one of the given strings or numbers. */
export function oneOf(...choices: readonly (string | number)[]): Rule {
  return (value, path) => {
    if (!(choices as readonly unknown[]).includes(value))
      throw new TypeError(`${path} must be ${choices.join(' or ')}`);
  };
}

/** Accepts a safe integer within bounds. */
export function integer(min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER): Rule {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${path} must be an integer`);
    const number = value as number;
    if (number < min || number > max) throw new TypeError(`${path} must be from ${min} to ${max}`);
  };
}

function matching(pattern: RegExp, what: string): Rule {
  return (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${path} must be ${what}`);
  };
}

/** A non-empty string of well-formed Unicode. */
export const text: Rule = (value, path) => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${path} must be a non-empty string`);
};

/** A SHA-256 hash in hex. */
export const hash = matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits');

export const uuid = matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a lower-case UUID');

/** A valid instant, written `YYYY-MM-DDTHH:mm:ss.sssZ` (docs/rules/ledger.md). */
export const instant: Rule = (value, path) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString() !== value) {
    throw new TypeError(`${path} must be an instant written YYYY-MM-DDTHH:mm:ss.sssZ`);
  }
};

/** American odds: an absolute value from 100 to 100,000 (docs/rules/odds.md). */
export const americanOdds: Rule = (value, path) => {
  integer(-100_000, 100_000)(value, path);
  if (Math.abs(value as number) < 100)
    throw new TypeError(`${path} must have an absolute value of at least 100`);
};

/** An Ed25519 public key: 32 bytes in base64. */
export const publicKey = matching(
  /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  'an Ed25519 public key in base64',
);

/** An Ed25519 signature: 64 bytes in base64. */
export const signature = matching(/^[A-Za-z0-9+/]{85}[AQgw]==$/, 'an Ed25519 signature in base64');

/** The id of a key: the SHA-256 hash of its 32 bytes, in hex. */
export const keyId = matching(/^[0-9a-f]{64}$/, 'the id of a key, 64 lower-case hex digits');

export const nonce = matching(/^[A-Za-z0-9_-]{16,64}$/, '16 to 64 letters, digits, hyphens, and underscores');
