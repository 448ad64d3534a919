/** Types for Knex's PostgreSQL dialect, which Knex documents as extensible but does not type. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  import type { Client, QueryResult } from 'pg';

  export default class PostgresClient extends Knex.Client {
    acquireRawConnection(): Promise<Client>;
    transaction(...options: unknown[]): Knex.Transaction;
    _query(connection: Client, statement: { sql: string }): Promise<{ response: QueryResult }>;
  }
}

declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  import type { Knex } from 'knex';
  import type { Client } from 'pg';

  export default class PostgresTransaction {
    constructor(client: Knex.Client, ...options: unknown[]);
    begin(connection: Client): Promise<unknown>;
    savepoint(connection: Client): Promise<unknown>;
    isCompleted(): boolean;
  }
}
