/** Returns what a table has under a word of somebody else's: nothing under `constructor`, which every object inherits. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
