const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns where `actual` differs from what is expected, as `path: expected ..., got ...`, at most 20. Objects may have additional fields;
 * arrays must have the same items in the same order.
 */
export function differences(expected: unknown, actual: unknown, path = '$'): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length =
      expected.length === actual.length
        ? []
        : [`${path}.length: expected ${expected.length}, got ${actual.length}`];
    const items = expected.flatMap((item, index) =>
      index < actual.length ? differences(item, actual[index], `${path}[${index}]`) : [],
    );
    return [...length, ...items].slice(0, 20);
  }
  if (isObject(expected) && isObject(actual))
    return Object.keys(expected)
      .flatMap((key) => differences(expected[key], actual[key], `${path}.${key}`))
      .slice(0, 20);
  if (Object.is(expected, actual) || (path.endsWith('.chancePct') && isSameChance(expected, actual)))
    return [];
  return [`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
}

/** A chance may be a tenth off, or 0.1 above 50 (docs/rules/records.md#chance). */
function isSameChance(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(actual - expected) <= (expected > 50 ? 0.1 : Math.max(0.01, expected / 10));
}

/** Returns the names of the fields that `actual` has in addition to the expected ones, at any depth. */
export function furtherFields(expected: unknown, actual: unknown): string[] {
  if (Array.isArray(expected) && Array.isArray(actual))
    return [...new Set(expected.flatMap((item, index) => furtherFields(item, actual[index])))];
  if (!isObject(expected) || !isObject(actual)) return [];
  const own = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [
    ...new Set([
      ...own,
      ...Object.keys(expected).flatMap((key) => furtherFields(expected[key], actual[key])),
    ]),
  ];
}
