import type { Knex } from 'knex';
import knexModule from 'knex';
import pg from 'pg';
import { migrationsFor } from '../../migrations/index.ts';

/** A connection pool or a transaction on it: what functions that read or write take. */
export type Database = Knex;
export type Transaction = Knex.Transaction;

/** The role that the service works under: it has no UPDATE, DELETE or TRUNCATE on append-only tables. */
export const serviceRole = 'public_picks_service';

const timestamptz = 1184;
const bigint = 20;
const date = 1082;

/** Instants come as epoch milliseconds, bigints as numbers, dates as their text. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === timestamptz) return parseInstant;
      if (oid === bigint) return parseBigint;
      if (oid === date) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

export interface DatabaseOptions {
  /** Maximum number of connections; default 10. */
  connections?: number;
  /** Shown in `pg_stat_activity`. */
  name?: string;
  /** Milliseconds to wait for a connection; default 5000. */
  connectTimeout?: number;
  /** Milliseconds that one statement may take; default: no limit. */
  statementTimeout?: number;
}

/** Opens a connection pool that works under {@link serviceRole}, whatever role the URL names. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  return open(url, `set time zone 'UTC'; set jit = off; set role ${serviceRole}`, options);
}

/** Opens a connection pool under the role that the URL names: for migrations and the owner's checks. */
export function openOwnerDatabase(url: string, options: DatabaseOptions = {}): Database {
  return open(url, `set time zone 'UTC'`, options);
}

function open(url: string, setUp: string, options: DatabaseOptions): Database {
  const { connections = 10, name = 'public-picks', connectTimeout = 5000, statementTimeout } = options;
  return knexModule.knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: connectTimeout,
      ...(statementTimeout === undefined ? {} : { statement_timeout: statementTimeout }),
      types,
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: connectTimeout,
    // Knex throws what it would print here.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
    pool: {
      min: 0,
      max: connections,
      afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
        connection.query(setUp, (error) => {
          // The pool does not close a connection whose set-up failed.
          if (error) connection.end().catch(() => {});
          done(error ?? null, connection);
        });
      },
    },
  });
}

/**
 * Brings a database to the newest schema, under the owner's role. Idempotent, and safe to run concurrently.
 * @param kind of a log that begins here (`platform/log-kind`); without effect on one that has begun
 */
export async function migrate(ownerUrl: string, kind: string): Promise<void> {
  const database = openOwnerDatabase(ownerUrl, { connections: 2, name: 'public-picks migrate' });
  try {
    await database.migrate.latest({ migrationSource: migrationsFor(kind) });
  } finally {
    await database.destroy();
  }
}

/** `2026-01-10 17:05:00.123+00` (the session's zone is UTC) to epoch milliseconds. */
function parseInstant(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
}

/** Whether an error means that the database refused what cannot be true: docs/decisions/0032-what-the-database-refuses.md. */
export function isRefused(error: unknown): error is Error {
  return (error as { code?: string }).code?.startsWith('PP') === true;
}

/** Whether an error means that the database is unavailable or shutting down, rather than that a statement is wrong. */
export function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === 'KnexTimeoutError') return true;
  if (
    code !== undefined &&
    (/^(08|57P0|53300)/.test(code) || /^E(CONN|PIPE|HOST|NET|NOTFOUND|TIMEDOUT|AI_AGAIN)/.test(code))
  )
    return true;
  return /Connection terminated|timeout expired|Unable to acquire a connection|Client has encountered a connection error/.test(
    message ?? '',
  );
}
