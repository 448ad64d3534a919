/** A value that is computed when it is first asked for, and kept. What its computation throws is thrown, and it is tried again. */
export function lazy<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
