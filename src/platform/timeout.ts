/**
 * Waits for work at most `ms` milliseconds. Work that takes longer goes on: its result and its error are dropped.
 * @param onTimeout gives the result in its place; default: it throws an Error
 */
export async function withTimeout<T, L = never>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => L = noAnswer,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<L>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(): never {
  throw new Error('no answer in time');
}
