// Runs in a worker thread and parses a file for `grids.ts`.

import { parentPort, workerData } from 'node:worker_threads';
import { gridsOf } from '../../sheets/grid.ts';
import { SheetError } from '../../sheets/workbook.ts';
import type { GridsAnswer } from './grids.ts';
import type { Upload } from './upload.ts';

const { name, bytes } = workerData as Upload;
const answer: GridsAnswer = await gridsOf(name, Buffer.from(bytes)).then(
  (grids) => ({ grids }),
  (error: unknown) => {
    if (error instanceof SheetError) return { fault: error.message };
    throw error;
  },
);
parentPort?.postMessage(answer);
