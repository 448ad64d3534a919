import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { requestService } from './broker.ts';

/** Returns the URL of a new, empty database in a PostgreSQL other than that of {@link withDatabase}. It ends with the test run. */
export async function otherDatabase(): Promise<string> {
  const url = new URL(await requestService('otherPostgres'));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const name = `other_${randomBytes(8).toString('hex')}`;
    await client.query(`create database ${name}`);
    url.pathname = `/${name}`;
    return url.href;
  } finally {
    await client.end();
  }
}
