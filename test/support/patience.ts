/** How long a test waits for what comes soon, in milliseconds: files that run in parallel share the cores of a busy machine. */
export const patienceMs = 60_000;

/** Marks a shorter limit: how long something takes is what the test is about. */
export const latencyMs = (ms: number): number => ms;
