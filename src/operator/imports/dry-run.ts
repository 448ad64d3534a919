import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileKinds } from '../../intake/kinds.ts';
import type { Database } from '../../platform/database.ts';
import type { Grid } from '../../sheets/grid.ts';
import { planGrids } from '../../sheets/intake.ts';
import { mappingOf, type SheetColumn } from '../../sheets/mapping.ts';
import type { SheetPlan } from '../../sheets/plan.ts';
import type { SheetChoices } from '../../sheets/sheet.ts';
import { SheetError } from '../../sheets/workbook.ts';
import { type Batch, ownInput, type Refusal, type RowsOfFile } from '../../sources/files.ts';
import { ingestSheets, type PlannedSheet, type WaitingImport } from '../../sources/waiting-imports.ts';
import { maxRows } from '../intake.ts';
import { readGrids } from './grids.ts';
import type { Upload } from './upload.ts';

/** A column with its field and a sample cell. */
interface SheetHeader extends Partial<Pick<SheetColumn, 'field' | 'by'>> {
  header: string;
  example: string;
}

/** A parsed file, before anything is stored. */
export interface ReadFile {
  /** Temporary path of the file, which no message may show. */
  folder: string;
  inputs: (string | RowsOfFile)[];
  /** Empty for a file in the service's own layout. */
  plans: SheetPlan[];
  /** Why tables of the file are skipped. */
  faults: string[];
  headers: SheetHeader[];
}

/** The outcome of an import, real or tried. */
export interface Imported extends Pick<Batch, 'counts' | 'notes' | 'odds'> {
  /** The picks that are not public yet. */
  waits?: WaitingImport;
  refusals: Refusal[];
}

/** A file whose import was tried and rolled back. */
export interface DryRun {
  file: ReadFile;
  choices: SheetChoices;
  now: EpochMs;
  trial: Imported;
  /** Changes if the import would have another outcome. */
  digest: string;
}

/**
 * Reads a file like `npm run ingest`, and passes it to `work`.
 * @throws SheetError if it has no rows
 */
export async function withFile<T>(
  database: Database,
  upload: Upload,
  choices: SheetChoices,
  work: (file: ReadFile) => Promise<T>,
): Promise<T> {
  // Files in the service's own layout are read from disk, and their names give the kind of rows.
  const folder = await mkdtemp(join(tmpdir(), 'public-picks-import-'));
  try {
    const path = join(folder, upload.name);
    await writeFile(path, upload.bytes);
    return await work({ folder, ...(await readFile(database, upload, path, choices)) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readFile(
  database: Database,
  upload: Upload,
  path: string,
  choices: SheetChoices,
): Promise<Omit<ReadFile, 'folder'>> {
  const isChosen = choices.map.size > 0 || choices.capper !== undefined;
  const own = isChosen ? undefined : await ownInput(path);
  if (own !== undefined) {
    const isPath = typeof own === 'string';
    checkRows(isPath ? upload.bytes.toString('latin1').split('\n').length : own.rows!.length);
    return {
      inputs: [isPath ? path : { ...own, file: upload.name }],
      plans: [],
      faults: [],
      headers: [],
    };
  }
  const grids = await readGrids(upload);
  checkRows(grids.reduce((sum, { rows }) => sum + rows.length, 0));
  const { plans, faults } = await planGrids(database, grids, choices);
  return {
    inputs: [],
    plans,
    faults,
    headers: grids.flatMap((grid) => headersOf(grid, choices)),
  };
}

function checkRows(count: number): void {
  if (count > maxRows)
    throw new SheetError(
      `The file has more than ${maxRows.toLocaleString('en-US')} rows. Split it, or use npm run ingest.`,
    );
}

/** Returns the headers of a table. If none is recognized, it uses the widest of the first rows, so that the operator can map it. */
function headersOf(grid: Grid, { map }: SheetChoices): SheetHeader[] {
  const widths = grid.rows.slice(0, 20).map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const widest = widths.indexOf(Math.max(...widths));
  const mapping = mappingOf(grid, map);
  const at = mapping?.header ?? widest;
  return (grid.rows[at]?.cells ?? []).flatMap((header, column) => {
    if (header === '') return [];
    const { field, by } = mapping?.columns.find((each) => each.at === column) ?? {};
    const filled = grid.rows.slice(at + 1).find(({ cells }) => (cells[column] ?? '') !== '');
    return {
      header,
      example: filled?.cells[column] ?? '',
      ...(field === undefined ? {} : { field }),
      ...(by === undefined ? {} : { by }),
    };
  });
}

/** Tries an import and rolls it back. */
export async function tryFile(
  database: Database,
  file: ReadFile,
  choices: SheetChoices,
  now: number,
): Promise<DryRun> {
  const trial = await importFile(database, file, choices, now, { isTrial: true, isNow: true });
  const said = { plans: file.plans, faults: file.faults, trial, notes: [...trial.notes] };
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('base64url');
  return { file, choices, now, trial, digest };
}

/** Reports whether a tried import would store any row. */
export function isNew({ counts }: Imported): boolean {
  return fileKinds.some((kind) => counts[kind].added + counts[kind].updated > 0);
}

/** Reports whether all valid rows of a tried import are stored already. */
export function isStored(trial: Imported): boolean {
  return !isNew(trial) && fileKinds.some((kind) => trial.counts[kind].unchanged > 0);
}

/**
 * Stores a file's rows.
 * @param options.isTrial rolls back at the end
 * @param options.isNow stores picks at once that were read with assumptions
 */
export async function importFile(
  database: Database,
  { folder, inputs, plans }: ReadFile,
  { zone, odds }: SheetChoices,
  now: number,
  { isTrial, isNow }: { isTrial: boolean; isNow: boolean },
): Promise<Imported> {
  const refusals: Refusal[] = plans.flatMap(({ name, rows }) =>
    rows.flatMap(({ line, reason }) => (reason === undefined ? [] : { file: name, line, reason })),
  );
  const planned = refusals.length;
  const named = (text: string) => text.replaceAll(`${folder}${sep}`, '');
  const sheets = plans.map((plan): PlannedSheet => ({ file: plan.name, plan }));
  const batch = await ingestSheets(
    database,
    { inputs, sheets },
    { now, imported: true, zone, odds, isTrial, isNow },
    {
      onRefusal: ({ file, line, reason }) => refusals.push({ file: named(file), line, reason }),
      onProgress() {},
      onChunk() {},
    },
  );
  batch.counts.picks.refused += planned;
  return {
    counts: batch.counts,
    ...(batch.waits === undefined ? {} : { waits: batch.waits }),
    notes: new Map([...batch.notes].map(([note, count]) => [named(note), count])),
    odds: batch.odds.map(named),
    // Rows that are malformed are refused before those that no game or capper fits.
    refusals: [...Map.groupBy(refusals, ({ file }) => file).values()].flatMap((own) =>
      own.toSorted((one, other) => one.line - other.line),
    ),
  };
}
