/** Knex documents that its dialects can be extended, and has no types for them. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  import type { Client } from 'pg';

  export default class PostgresClient extends Knex.Client {
    acquireRawConnection(): Promise<Client>;
    _query(connection: Client, statement: object): Promise<unknown>;
  }
}
