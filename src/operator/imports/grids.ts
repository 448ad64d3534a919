import { Worker } from 'node:worker_threads';
import type { Grid } from '../../sheets/grid.ts';
import { SheetError } from '../../sheets/workbook.ts';
import type { Upload } from './upload.ts';

/** Limits for parsing a file: a workbook of a few kilobytes can expand to many megabytes. */
const limits = { seconds: 15, heapMegabytes: 256 } as const;

export type GridsAnswer = { grids: Grid[] } | { fault: string };

/**
 * Parses the tables of a file in its own thread, which is terminated if it takes too long. No file can block this process.
 * @throws SheetError
 */
export async function readGrids({ name, bytes }: Upload): Promise<Grid[]> {
  const thread = new Worker(new URL('./grids-thread.ts', import.meta.url), {
    workerData: { name, bytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<GridsAnswer>((resolve, reject) => {
      timer = setTimeout(
        () => resolve({ fault: `${name} takes longer than ${limits.seconds} s to read. Split it.` }),
        limits.seconds * 1000,
      );
      thread.once('message', resolve);
      thread.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? resolve({ fault: `${name} takes too much memory to read. Split it.` })
          : reject(error),
      );
    });
    if ('fault' in answer) throw new SheetError(answer.fault);
    return answer.grids;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
