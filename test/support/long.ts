/** Whether tests run in their long form: `npm run test:long`. `npm test` runs fewer rounds of the same. */
const isLong = process.env.LONG === '1';

/** Returns the first value in `npm test`, and the second in `npm run test:long`. */
export function atLength<T>(short: T, long: T): T {
  return isLong ? long : short;
}
