/**
 * What a promise gives, if it does so in time.
 * @throws Error when it does not; the work itself goes on
 */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const lateness = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, lateness]);
  } finally {
    clearTimeout(late);
  }
}
