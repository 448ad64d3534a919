import { patienceMs } from './patience.ts';

/** Resolves once a condition holds. Rejects after `ms`, even if the condition itself never settles. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = patienceMs): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(new Error(`still false after ${ms} ms: ${isSo}`));
    }, ms);
  });
  async function asked(): Promise<void> {
    while (!late && !(await isSo())) await new Promise((next) => setTimeout(next, 5));
  }
  try {
    await Promise.race([asked(), end]);
  } finally {
    clearTimeout(timer);
  }
}
