import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem, problem } from '../../http/answer.ts';
import { respond } from '../../http/transport/answering.ts';
import { bodyReader } from '../../http/transport/body.ts';
import { fileKinds } from '../../intake/kinds.ts';
import { followLogJob, gradeDueJob, planClosings, seal } from '../../jobs/declared.ts';
import type { Job } from '../../jobs/job.ts';
import { decisionTime } from '../../ledger/log-kind.ts';
import type { Availability } from '../../platform/availability.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { SheetError } from '../../sheets/workbook.ts';
import { dropImport, waitingImports } from '../../sources/waiting-imports.ts';
import { type Actions, type By, type Outcome, requesterOf } from '../actions.ts';
import { showPage, viewerOf } from '../frame.ts';
import type { PostingDeps } from '../posting.ts';
import { type GivenChoices, givenChoices, readChoices } from './choices.ts';
import { type DryRun, type Imported, importFile, isStored, tryFile, withFile } from './dry-run.ts';
import { dryRunPage } from './dry-run-page.ts';
import { findFile, type KeptFile, keepFile } from './kept-files.ts';
import { outcomePage, uploadPage } from './pages.ts';
import { readUpload } from './upload.ts';

export interface ImportDeps extends PostingDeps {
  availability: Pick<Availability, 'once'>;
  actions: Actions;
}

/** Reports whether a path is one of the import's pages. */
export const isImportPage = (path: string): boolean => path === '/import' || path.startsWith('/import/');

const readForm = bodyReader('form', '64kb');

/** Jobs that process imported rows. They only save time, as for other rows. */
const followUps = [seal as Job, gradeDueJob as Job, planClosings as Job, followLogJob as Job];

/** Longest wait for reading or storing a file, in ms. */
const importMs = 120_000;

/** Adds `/import`, where a file is uploaded, previewed, and then imported. */
export function addImports(router: Router, deps: ImportDeps): void {
  const { database, availability, actions, config } = deps;
  // Imports and dry runs take turns, because both take the same locks. So the second click of a double click finds the rows stored.
  const turns = createLimiter(1);
  const inTurn = <T>(work: () => Promise<T>) => turns.run(() => availability.once(work, importMs), 4);

  const upload = async (ctx: Context, fault?: string, status = 200) =>
    showPage(
      ctx,
      uploadPage(viewerOf(ctx, config), await availability.once(() => waitingImports(database)), fault),
      status,
    );

  router.get('/import', (ctx) => upload(ctx));

  router.post('/import/drop', async (ctx) => {
    const { id = '' } = await readFields(ctx);
    if (!/^[1-9]\d{0,14}$/.test(id)) throw problem(422, 'Choose an import that waits.');
    const isDropped = await availability.once(() => dropImport(database, Number(id)));
    if (isDropped) {
      const actionId = await actions.begin({
        ...requesterOf(ctx),
        action: 'withdraw-import',
        about: id,
        rows: 1,
      });
      await actions.end(actionId, [], {});
    }
    await upload(
      ctx,
      isDropped ? undefined : 'This import does not wait: it is stored or withdrawn already.',
    );
  });

  router.post('/import', (ctx) =>
    orUpload(ctx, upload, async () => {
      const file = await readUpload(ctx);
      const id = await availability.once(() => keepFile(database, requesterOf(ctx).operator, file));
      await respond(ctx, { status: 303, headers: { Location: `/import/${id}` } });
    }),
  );

  const fileOf = async (ctx: Context): Promise<KeptFile> => {
    const { operator } = requesterOf(ctx);
    const file = await availability.once(() => findFile(database, operator, ctx.params.id));
    if (file === undefined)
      throw problem(404, 'This file has expired, since files are kept for an hour. Choose it again.');
    return file;
  };

  const showRun = async (
    ctx: Context,
    { id, name }: KeptFile,
    given: GivenChoices,
    { run, faults }: Looked,
    status: number,
  ) => {
    const sports: string[] = await database('sports').orderBy('position').orderBy('key').pluck('key');
    await showPage(
      ctx,
      dryRunPage({ viewer: viewerOf(ctx, config), id, name, sports, given, run, faults }),
      status,
    );
  };

  router.get('/import/:id', (ctx) =>
    orUpload(ctx, upload, async () => {
      const file = await fileOf(ctx);
      return showRun(ctx, file, {}, await inTurn(() => look(file, {}, deps)), 200);
    }),
  );

  router.post('/import/:id', (ctx) =>
    orUpload(ctx, upload, async () => {
      if (typeof ctx.is('application/x-www-form-urlencoded') !== 'string')
        throw problem(415, 'Submit the form on this page.');
      const form = await readFields(ctx);
      const given = givenChoices(form);
      const file = await fileOf(ctx);
      const isImport = form.do === 'import';
      const confirmed = (run: DryRun) => confirm(file.name, run, form, requesterOf(ctx), deps);
      const done = await inTurn(() => look(file, given, deps, isImport ? confirmed : undefined));
      if (done.imported !== undefined) {
        for (const job of followUps) await deps.enqueue.add(job, {});
        return showPage(ctx, outcomePage(viewerOf(ctx, config), file.name, done.imported));
      }
      return showRun(ctx, file, given, done, isImport ? 409 : 200);
    }),
  );
}

/** Returns the fields of a form by name. The usual parser would turn dots and brackets in column names into nested objects. */
async function readFields(ctx: Context): Promise<Record<string, string>> {
  await readForm(ctx);
  const { rawBody = '' } = ctx.request as { rawBody?: string };
  return Object.fromEntries(new URLSearchParams(rawBody));
}

/** Shows refusals above a form for another file. */
async function orUpload(
  ctx: Context,
  upload: (ctx: Context, fault: string, status: number) => Promise<void>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await upload(ctx, error.message, error.status);
  }
}

interface Looked {
  run?: DryRun | undefined;
  faults: string[];
  imported?: Imported;
}

/** Tries a file and passes its dry run to `then`, or returns why there is none. Default: returns the dry run. */
async function look(
  file: KeptFile,
  given: GivenChoices,
  deps: ImportDeps,
  then: (run: DryRun) => Promise<Looked> = async (run) => ({ run, faults: [] }),
): Promise<Looked> {
  const { database, clock } = deps;
  const choices = readChoices(given);
  if (Array.isArray(choices)) {
    const { run, faults } = await look(file, {}, deps);
    return { run, faults: [...choices, ...faults] };
  }
  try {
    const now = await decisionTime(database, clock);
    return await withFile(database, file, choices, async (read) =>
      then(await tryFile(database, read, choices, now)),
    );
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return { faults: [error.message] };
  }
}

/** Imports a file, if the outcome is that of its dry run: never twice, because then its rows are stored already. */
async function confirm(
  name: string,
  run: DryRun,
  form: Readonly<Record<string, string>>,
  by: By,
  { database, actions }: ImportDeps,
): Promise<Looked> {
  if (run.digest !== form.digest) {
    if (isStored(run.trial)) return { run, faults: [] };
    const isWaiting = (await waitingImports(database)).some(({ about }) => about.includes(name));
    const fault = isWaiting
      ? `Nothing more was imported. Picks of ${name} already wait, and can be withdrawn under Import.`
      : 'Nothing was imported. The choices or the ledger changed after the preview. Check the rows again.';
    return { run, faults: [fault] };
  }
  const rows = fileKinds
    .flatMap((kind) => Object.values(run.trial.counts[kind]))
    .reduce((sum, count) => sum + count, 0);
  const actionId = await actions.begin({ ...by, action: 'import', about: name, rows });
  const imported = await importFile(database, run.file, run.choices, run.now, {
    isTrial: false,
    isNow: form.now !== undefined,
  });
  const refused = imported.refusals.map(
    ({ line, reason }): Outcome => ({
      index: Math.max(0, line - 1),
      outcome: 'refused',
      reason: reason.slice(0, 500).toWellFormed().replaceAll('\0', ''),
    }),
  );
  await actions.end(actionId, refused, countsOf(imported));
  return { faults: [], imported };
}

/** Returns counts such as `{ "picks added": 12 }`. */
function countsOf({ counts }: Imported): Record<string, number> {
  return Object.fromEntries(
    fileKinds.flatMap((kind) =>
      Object.entries(counts[kind]).flatMap(([outcome, count]) =>
        count === 0 ? [] : [[`${kind} ${outcome}`, count] as const],
      ),
    ),
  );
}
