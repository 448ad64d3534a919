/** The deadline for something that should happen soon, in milliseconds. Parallel test files share the cores of a busy machine. */
export const patienceMs = 60_000;

/** Marks a shorter limit in a test of latency. */
export const latencyMs = (ms: number): number => ms;
