/** Blocks work until a test releases it. */
export interface Gate {
  /** Resolves once the gate is open. */
  passed(): Promise<void>;
  /** Closes the gate. @returns a function that opens it */
  hold(): () => void;
}

/** Returns an open gate. */
export function createGate(): Gate {
  let closed: Promise<void> | undefined;
  return {
    passed: async () => closed,
    hold() {
      let open = () => {};
      closed = new Promise<void>((resolve) => {
        open = () => {
          closed = undefined;
          resolve();
        };
      });
      return open;
    },
  };
}
