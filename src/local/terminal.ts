/** Why a command is refused, in a sentence for the person who typed it; shown without a stack trace. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** What the system says of a file or folder, without the code and the call. */
export function reasonOf({ message }: Error): string {
  return message.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*)?$/s, '');
}

/** Prints a line of progress. */
export type Say = (line: string) => void;

/**
 * Being asked to stop: by Ctrl-C, by SIGTERM, by the closing of the terminal, or by the end of the process that
 * started this one.
 */
export interface StopRequest {
  /** Aborts at the first request; further ones change nothing. */
  signal: AbortSignal;
  /** Resolves at the first request. */
  requested: Promise<void>;
}

/** Listens for requests to stop this process, from now on and until it ends. */
export function stopRequest(): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = () => {
      controller.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // The channel from bootstrap.mjs: it closes when that one is killed.
    process.on('disconnect', stop);
    // Nobody reads any more: `npm start | head`. A full disk under `npm start > file` only loses lines.
    const onError = ({ code }: NodeJS.ErrnoException) => code === 'ENOSPC' || code === 'EDQUOT' || stop();
    process.stdout.on('error', onError);
    process.stderr.on('error', onError);
  });
  return { signal: controller.signal, requested };
}
