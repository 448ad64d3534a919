// Suites close what they opened, whatever fails in them.

const open = new Set<() => Promise<void>>();

/**
 * Calls `close` once when the suite of a hook ends: after its `after` hooks, or after the file if a failing hook makes mocha skip the
 * rest. For use inside a `before` hook.
 */
export function closeAfter(hook: Mocha.Context, close: () => Promise<void>): void {
  const once = async () => {
    if (open.delete(once)) await close();
  };
  open.add(once);
  // Added late, so that it follows the hooks in which the suite closes its own resources.
  hook.test?.parent?.afterAll(once);
}

/** Root hooks: mocha runs them once per file, or once for all files if it does not run files in parallel. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    const failed = (await Promise.allSettled([...open].reverse().map((close) => close()))).filter(
      ({ status }) => status === 'rejected',
    );
    if (failed.length > 0)
      throw new AggregateError(failed.map((each) => (each as PromiseRejectedResult).reason));
  },
};
