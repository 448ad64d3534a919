import type { Database } from '../../platform/database.ts';

/** Seconds that an import stays open without a renewal, by the database's clock. */
const openSeconds = 60;

const renewMs = 15_000;

/**
 * Runs `work`, an import of files, while grading skips games with imported picks. Grading during the import would close picks with only
 * some of the prices. A killed import stays open for up to a minute.
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
    await database('open_imports').where({ id }).delete().catch(letExpire);
  }
}

async function renew(database: Database, id: number): Promise<void> {
  await database
    .raw('update open_imports set until = clock_timestamp() + make_interval(secs => ?) where id = ?', [
      openSeconds,
      id,
    ])
    .catch(letExpire);
}

/** Ignores a lost database connection: the import expires without a renewal. */
function letExpire(): void {}

/** Reports whether an import is open. Ignores rows whose expiry is later than any import could set. */
export async function isImportOpen(database: Database): Promise<boolean> {
  const { rows }: { rows: { open: boolean }[] } = await database.raw(
    `select exists (select from open_imports
       where until > clock_timestamp() and until <= clock_timestamp() + make_interval(secs => ?)) as open`,
    [openSeconds],
  );
  return rows[0]!.open;
}
