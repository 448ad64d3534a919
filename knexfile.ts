import type { Knex } from 'knex';
import { migrationsFor } from './migrations/index.ts';

const kind = process.env.DEMO === '1' ? 'demo' : process.env.SERVICE_CLOCK ? 'replay' : 'live';

/** For knex's own tools; `node src/cli.ts migrate` does the same without them. */
const configuration: Knex.Config = {
  client: 'pg',
  connection: process.env.DATABASE_OWNER_URL ?? process.env.DATABASE_URL ?? '',
  migrations: { migrationSource: migrationsFor(kind) },
};

export default configuration;
