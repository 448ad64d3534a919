/** Whether tests run in their long form: `npm run test:long`. `npm test` runs fewer rounds of the same. */
const isLong = process.env.LONG === '1';

/** Declares a test of the long form only: one that starts the service several times, or waits for minutes. */
export const itInLong = (title: string, test: Mocha.AsyncFunc): void => {
  if (isLong) it(title, test);
};

/** Returns the first value in `npm test`, and the second in `npm run test:long`. */
export function atLength<T>(short: T, long: T): T {
  return isLong ? long : short;
}
