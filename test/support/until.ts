/** Resolves as soon as something is so; rejects when it is not within `ms`. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 2000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not so after ${ms} ms: ${isSo}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}
