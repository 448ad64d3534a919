/**
 * Resolves as soon as a condition holds. Rejects when it does not within `ms` on a machine of its own: files that run in parallel share
 * the cores, so five times that are allowed.
 */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 2000): Promise<void> {
  const deadline = Date.now() + 5 * ms;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not so after ${ms} ms: ${isSo}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}
