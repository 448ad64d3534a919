// Suites close what they opened, whatever fails in them.

const open = new Set<() => Promise<void>>();

/**
 * Has `close` called once when the suite of a hook is over: after its `after` hooks, or, where one of those fails and mocha skips the
 * rest, after the file. To be called inside a `before` hook.
 */
export function closeAfter(hook: Mocha.Context, close: () => Promise<void>): void {
  const once = async () => {
    if (open.delete(once)) await close();
  };
  open.add(once);
  // Added now, so that it comes after the hooks in which the suite closes what it opened itself.
  hook.test?.parent?.afterAll(once);
}

/** Root hooks: mocha runs them once a file, or once for all files when it does not run files in parallel. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    const failed = (await Promise.allSettled([...open].reverse().map((close) => close()))).filter(
      ({ status }) => status === 'rejected',
    );
    if (failed.length > 0)
      throw new AggregateError(failed.map((each) => (each as PromiseRejectedResult).reason));
  },
};
