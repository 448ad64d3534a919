/** Holds work back until a test lets it go on. */
export interface Gate {
  /** Resolves at once while the gate is open, else when it is opened. */
  passed(): Promise<void>;
  /** Closes the gate. @returns opens it again */
  hold(): () => void;
}

/** An open gate. */
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
