import type { Knex } from 'knex';
import { migrations } from './migrations/index.ts';

/** For knex's own tools; `node src/cli.ts migrate` does the same without them. */
const configuration: Knex.Config = {
  client: 'pg',
  connection: process.env.DATABASE_OWNER_URL ?? process.env.DATABASE_URL ?? '',
  migrations: { migrationSource: migrations },
};

export default configuration;
