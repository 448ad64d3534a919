import type { Database } from '../../platform/database.ts';

/** How long an import that gives no sign of life stays open, by the database's clock. */
const openSeconds = 60;

/** How often an import gives one, in milliseconds. */
const renewMs = 15_000;

/**
 * Stores a batch of files while grading leaves games with imported picks alone: an early look would close picks with the prices stored so
 * far. An import that is killed is open for a minute more.
 */
export async function asOpenImport<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { rows }: { rows: { id: number }[] } = await database.raw(
    'insert into open_imports (until) values (clock_timestamp() + make_interval(secs => ?)) returning id',
    [openSeconds],
  );
  const { id } = rows[0]!;
  const renewing = setInterval(() => void renew(database, id), renewMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await database('open_imports').where({ id }).delete().catch(runsOut);
  }
}

async function renew(database: Database, id: number): Promise<void> {
  await database
    .raw('update open_imports set until = clock_timestamp() + make_interval(secs => ?) where id = ?', [
      openSeconds,
      id,
    ])
    .catch(runsOut);
}

/** Without the database there is nothing to do: the import runs out by itself. */
function runsOut(): void {}

/** Whether an import is open. A row that says that it is for longer than any import is not one. */
export async function isImportOpen(database: Database): Promise<boolean> {
  const { rows }: { rows: { open: boolean }[] } = await database.raw(
    `select exists (select from open_imports
       where until > clock_timestamp() and until <= clock_timestamp() + make_interval(secs => ?)) as open`,
    [openSeconds],
  );
  return rows[0]!.open;
}
