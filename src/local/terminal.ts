/** A refused command, with a sentence for the person who typed it. Shown without a stack trace. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** Returns the system's message about a file or folder, without the code and the call. */
export function reasonOf({ message }: Error): string {
  return message.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*)?$/s, '');
}

export type Say = (line: string) => void;

/** Ctrl-C, SIGTERM, a closed terminal, or the end of the parent process: the signal is aborted and the promise resolves at the first. */
export function stopRequest(): { signal: AbortSignal; requested: Promise<void> } {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = () => {
      controller.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // The channel from bootstrap.mjs closes if that process is killed.
    process.on('disconnect', stop);
    // Nobody reads the output: `npm start | head`. With `npm start > file`, a full disk only loses lines.
    const onError = ({ code }: NodeJS.ErrnoException) => code === 'ENOSPC' || code === 'EDQUOT' || stop();
    process.stdout.on('error', onError);
    process.stderr.on('error', onError);
  });
  return { signal: controller.signal, requested };
}
