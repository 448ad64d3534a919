import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { retention } from '../../webhooks/subscriptions/retention.ts';
import type { Upload } from './upload.ts';

/** A file between its dry run and its import. */
export interface KeptFile extends Upload {
  id: string;
}

/** Maximum number of files kept per operator. A new one replaces the oldest. */
const maxFiles = 5;

/** Retention of a file, and the interval at which the process deletes expired ones, in ms. */
const lifeMs = retention.upload.forMs;
const forgetEveryMs = 600_000;

const expiry = "clock_timestamp() - ? * interval '1 millisecond'";

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Stores a file for its operator.
 * @returns its ID, which cannot be guessed
 */
export async function keepFile(
  database: Database,
  operator: string,
  { name, bytes }: Upload,
): Promise<string> {
  const id = randomUUID();
  await database.transaction(async (transaction) => {
    await transaction.raw(
      'delete from operator_files where id in (select id from operator_files where operator = ? order by kept_at desc offset ?)',
      [operator, maxFiles - 1],
    );
    await transaction('operator_files').insert({ id, operator, name, bytes });
  });
  return id;
}

/** Deletes expired files now and at intervals. @returns a function that stops it */
export function forgetFiles(database: Database, log: Logger): () => void {
  const forget = () =>
    void database.raw(`delete from operator_files where kept_at < ${expiry}`, [lifeMs]).then(
      () => {},
      (error: Error) => log.debug({ err: error.message }, 'cannot delete old files; retrying later'),
    );
  forget();
  const timer = setInterval(forget, forgetEveryMs);
  return () => clearInterval(timer);
}

/** Returns a file of an operator; undefined if it does not exist or has expired. */
export async function findFile(
  database: Database,
  operator: string,
  id: string,
): Promise<KeptFile | undefined> {
  if (!isId.test(id)) return undefined;
  return database('operator_files')
    .where({ id, operator })
    .whereRaw(`kept_at >= ${expiry}`, [lifeMs])
    .first('id', 'name', 'bytes');
}
