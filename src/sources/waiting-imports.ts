import { gameKey } from '../games/game.ts';
import type { RowIntake } from '../intake/kind.ts';
import type { FileKind } from '../intake/kinds.ts';
import { followLogJob, gradeDueJob, planClosings, seal } from '../jobs/declared.ts';
import { type Job, type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { type Clock, iso } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import type { SheetPlan } from '../sheets/plan.ts';
import {
  type Batch,
  checkedRow,
  type FileIntake,
  type IngestReport,
  ingestFiles,
  type RowsOfFile,
} from './files.ts';

/** How long picks that a sheet gives with assumptions wait before they are public (docs/rules/intake.md#imports-wait). */
export const waitMs = 10 * 60_000;

/** Picks and results of a sheet that are not public yet. */
export interface WaitingImport {
  id: number;
  dueAt: EpochMs;
  about: string;
  picks: number;
}

/** A planned sheet, and the file that messages name. */
export interface PlannedSheet {
  file: string;
  plan: SheetPlan;
}

/** Reports whether anything about a sheet was assumed. */
export function isAssumed({ guesses, rows }: SheetPlan): boolean {
  return guesses.length > 0 || rows.some(({ notes, reason }) => reason === undefined && notes.length > 0);
}

/** Returns the rows that an accepted plan stores, for `ingestFiles`. */
export function rowsOfPlan({ file, plan: { cappers, rows } }: PlannedSheet): RowsOfFile[] {
  const of = (kind: FileKind, pairs: readonly (readonly [line: number, row: unknown])[]): RowsOfFile => ({
    file,
    kind,
    rows: pairs.map(([line, row]) => checkedRow(kind, line, row)),
  });
  const each = (field: 'game' | 'pick' | 'result') =>
    rows.flatMap(({ line, [field]: row }) => (row === undefined ? [] : [[line, row] as const]));
  const games = new Map(each('game').map((game) => [JSON.stringify(game[1]), game]));
  const inside = [
    of(
      'cappers',
      cappers.map((capper) => [1, capper] as const),
    ),
    of('games', [...games.values()]),
    of('picks', each('pick')),
    of('results', each('result')),
  ];
  return inside.filter((file) => file.rows!.length > 0);
}

function sheetGamesOf(sheets: readonly PlannedSheet[]): NonNullable<RowIntake['sheetGames']> {
  return new Map(
    sheets.flatMap(({ plan: { rows } }) =>
      rows.flatMap(({ game, isHomeGuessed }) =>
        game === undefined
          ? []
          : [[gameKey(game), { homeGuessed: isHomeGuessed === true, sheet: true as const }]],
      ),
    ),
  );
}

/**
 * Ingests files and planned sheets as one batch. Picks and results of sheets with assumptions are tried and rolled back, and wait; all other
 * rows are stored at once.
 * @param isNow whether nothing waits
 */
export async function ingestSheets(
  database: Database,
  { inputs, sheets }: { inputs: readonly (string | RowsOfFile)[]; sheets: readonly PlannedSheet[] },
  intake: FileIntake & { isNow: boolean },
  report: IngestReport,
): Promise<Batch & { waits?: WaitingImport }> {
  const rows = sheets.map((sheet) => ({ sheet, rows: rowsOfPlan(sheet) }));
  const isWaiting = ({ sheet }: { sheet: PlannedSheet }, { kind }: RowsOfFile) =>
    !intake.isNow && (kind === 'picks' || kind === 'results') && isAssumed(sheet.plan);
  const all = rows.flatMap((each) => each.rows);
  const late = rows.flatMap((each) => each.rows.filter((row) => isWaiting(each, row)));
  const options = { ...intake, sheetGames: sheetGamesOf(sheets) };
  if (intake.isTrial === true || late.length === 0)
    return ingestFiles(database, [...inputs, ...all], options, report);
  const silent = { ...report, onRefusal() {} };
  const trial = await ingestFiles(
    database,
    [...inputs, ...all],
    { ...options, isTrial: true },
    { ...report, onProgress() {}, onChunk() {} },
  );
  const batch = await ingestFiles(
    database,
    [...inputs, ...all.filter((row) => !late.includes(row))],
    options,
    silent,
  );
  const added = { picks: 0, results: 0 };
  for (const kind of ['picks', 'results'] as const) {
    const [stored, tried] = [batch.counts[kind], trial.counts[kind]];
    added[kind] = tried.added - stored.added;
    batch.counts[kind] = { ...tried, added: stored.added };
  }
  for (const [note, count] of trial.notes) batch.notes.set(note, count);
  if (added.picks + added.results === 0) return batch;
  const about = [...new Set(late.map(({ file }) => file.split('/').at(-1)!))].join(', ').slice(0, 200);
  return {
    ...batch,
    waits: await keep(database, { about, picks: added.picks, dueAt: intake.now + waitMs }, late),
  };
}

async function keep(
  database: Database,
  { about, picks, dueAt }: Omit<WaitingImport, 'id'>,
  late: readonly RowsOfFile[],
): Promise<WaitingImport> {
  const rows = JSON.stringify(
    late.map(({ file, kind, rows: given = [] }) => ({
      file,
      kind,
      rows: given.flatMap(({ line, checked }) => (checked.ok ? [[line, checked.value]] : [])),
    })),
  );
  // The same sheet again waits once.
  const before = await database('waiting_imports').whereRaw('rows = ?::jsonb', [rows]).first('id', 'due_at');
  if (before !== undefined) return { id: before.id, dueAt: Number(before.due_at), about, picks };
  const [row]: { id: number }[] = await database('waiting_imports')
    .insert({ due_at: iso(dueAt), about, picks, rows })
    .returning('id');
  return { id: row!.id, dueAt, about, picks };
}

/** Returns the imports that wait, the next one first. */
export async function waitingImports(database: Database): Promise<WaitingImport[]> {
  return database('waiting_imports').orderBy(['due_at', 'id']).select(inCamelCase('id due_at about picks'));
}

/** Withdraws an import before it is public. @returns whether it waited */
export async function dropImport(database: Database, id: number): Promise<boolean> {
  return (await database('waiting_imports').where({ id }).delete()) > 0;
}

/** Stores the imports that have waited long enough. A killed run repeats, and stores each row once. */
export async function applyImports({
  database,
  clock,
  enqueue,
}: {
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}): Promise<Outcome> {
  const total = { imports: 0, picks: 0, refused: 0 };
  for (;;) {
    const now = clock.now();
    const due = await database('waiting_imports')
      .where('due_at', '<=', iso(now))
      .orderBy('id')
      .first('id', 'rows');
    if (due === undefined) break;
    const inputs = (due.rows as { file: string; kind: FileKind; rows: [number, unknown][] }[]).map(
      ({ file, kind, rows }): RowsOfFile => ({
        file,
        kind,
        rows: rows.map(([line, row]) => checkedRow(kind, line, row)),
      }),
    );
    const report = { onRefusal() {}, onProgress() {}, onChunk: () => void enqueue.add(seal, {}) };
    const { counts } = await ingestFiles(database, inputs, { now, imported: true }, report);
    await database('waiting_imports').where({ id: due.id }).delete();
    total.imports += 1;
    total.picks += counts.picks.added;
    total.refused += counts.picks.refused + counts.results.refused;
  }
  if (total.imports > 0)
    for (const job of [gradeDueJob, planClosings, followLogJob]) await enqueue.add(job as Job, {});
  return ok(total);
}
