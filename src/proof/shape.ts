/** Checks a value of a body, and describes it to the API reference. Bodies are declared with rules: see `bodies.ts`. */
export interface Rule<T = unknown> {
  /** @throws TypeError whose message starts with the path of the invalid part */
  (value: unknown, path: string): void;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Never set. It carries the type. */
  readonly is?: T;
}

export type Of<R> = R extends { readonly is?: infer T } ? T : never;

type Check = (value: unknown, path: string) => void;

export function rule<T>(schema: Rule['schema'], check: Check): Rule<T> {
  return Object.assign((value: unknown, path: string) => check(value, path), { schema });
}

export function about<T>(described: Rule<T>, description: string, more: Rule['schema'] = {}): Rule<T> {
  return rule({ ...described.schema, description, ...more }, described);
}

/** Accepts an object with exactly these keys; an unknown, missing, or `undefined` key is invalid. */
export function shape<const R extends Readonly<Record<string, Rule>>>(
  rules: R,
  more: Rule['schema'] = {},
): Rule<{ -readonly [K in keyof R]: Of<R[K]> }> {
  const expected = Object.entries<Rule>(rules);
  const properties = Object.fromEntries(expected.map(([key, { schema }]) => [key, schema]));
  return rule({ type: 'object', required: Object.keys(rules), properties, ...more }, (value, path) => {
    const object = plainObject(value, path);
    for (const [key, check] of expected) {
      if (!Object.hasOwn(object, key)) throw new TypeError(`${path}.${key} is missing`);
      check(object[key], `${path}.${key}`);
    }
    for (const key of Object.keys(object)) {
      if (!Object.hasOwn(rules, key)) throw new TypeError(`${path}.${key} is not a field of this object`);
    }
  });
}

/** Accepts any object except an array. */
export function plainObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} must be an object`);
  }
  return value as Record<string, unknown>;
}

/** Accepts any object, and describes it as the rule does. Its content is checked elsewhere. */
export function unchecked<T>({ schema }: Rule<T>): Rule<T> {
  return rule(schema, plainObject);
}

export function list<T>(items: Rule<T>, maxItems?: number): Rule<T[]> {
  return rule({ type: 'array', items: items.schema }, (value, path) => {
    if (!Array.isArray(value)) throw new TypeError(`${path} must be a list`);
    if (maxItems !== undefined && value.length > maxItems)
      throw new TypeError(`${path} must have at most ${maxItems} items`);
    for (let i = 0; i < value.length; i += 1) items(value[i], `${path}[${i}]`);
  });
}

export function pair<T>(items: Rule<T>): Rule<[T, T]> {
  const both = list(items, 2);
  return rule({ ...both.schema, minItems: 2, maxItems: 2 }, (value, path) => {
    both(value, path);
    if ((value as unknown[]).length < 2) throw new TypeError(`${path} must have 2 items`);
  });
}

export function nullable<T>(other: Rule<T>): Rule<T | null> {
  return rule({ anyOf: [other.schema, { type: 'null' }] }, (value, path) => {
    if (value !== null) other(value, path);
  });
}

export const boolean = rule<boolean>({ type: 'boolean' }, (value, path) => {
  if (typeof value !== 'boolean') throw new TypeError(`${path} must be true or false`);
});

export function oneOf<const Choices extends readonly (string | number)[]>(
  ...choices: Choices
): Rule<Choices[number]> {
  return rule({ enum: choices }, (value, path) => {
    if (!(choices as readonly unknown[]).includes(value))
      throw new TypeError(`${path} must be ${choices.join(' or ')}`);
  });
}

export function integer(minimum?: number, maximum?: number): Rule<number> {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return rule({ type: 'integer', ...bounds }, (value, path) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${path} must be an integer`);
    const number = value as number;
    const [min, max] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
    if (number < min || number > max) throw new TypeError(`${path} must be from ${min} to ${max}`);
  });
}

function matching(pattern: RegExp, what: string): Rule<string> {
  return rule({ type: 'string', pattern: pattern.source }, (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${path} must be ${what}`);
  });
}

/** A non-empty string of well-formed Unicode. */
export const text = rule<string>({ type: 'string' }, (value, path) => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${path} must be a non-empty string`);
});

export const hash = about(matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits'), 'SHA-256 in hex.');

export const uuid = rule<string>(
  { type: 'string', format: 'uuid' },
  matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a lower-case UUID'),
);

/** A valid instant, written `YYYY-MM-DDTHH:mm:ss.sssZ` (docs/rules/ledger.md). */
export const instant = rule<string>({ type: 'string', format: 'date-time' }, (value, path) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString() !== value) {
    throw new TypeError(`${path} must be an instant written YYYY-MM-DDTHH:mm:ss.sssZ`);
  }
});

/** A calendar day, written `YYYY-MM-DD`. */
export const day = rule<string>({ type: 'string', format: 'date' }, (value, path) => {
  const at = typeof value === 'string' ? Date.parse(`${value}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value)
    throw new TypeError(`${path} must be a day written YYYY-MM-DD`);
});

/** American odds: an absolute value from 100 to 100,000 (docs/rules/odds.md). */
export const americanOdds = rule<number>({ type: 'integer' }, (value, path) => {
  integer(-100_000, 100_000)(value, path);
  if (Math.abs(value as number) < 100)
    throw new TypeError(`${path} must have an absolute value of at least 100`);
});

export const publicKey = about(
  matching(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'an Ed25519 public key in base64'),
  'The Ed25519 public key, base64.',
);

export const signature = about(
  matching(/^[A-Za-z0-9+/]{85}[AQgw]==$/, 'an Ed25519 signature in base64'),
  'An Ed25519 signature, base64.',
);

/** The id of a key: the SHA-256 hash of its 32 bytes, in hex. */
export const keyId = matching(/^[0-9a-f]{64}$/, 'the id of a key, 64 lower-case hex digits');

export const nonce = matching(/^[A-Za-z0-9_-]{16,64}$/, '16 to 64 letters, digits, hyphens, and underscores');
