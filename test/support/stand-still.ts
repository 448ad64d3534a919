/** Blocks this process's event loop for `ms` milliseconds, as a long computation does. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
