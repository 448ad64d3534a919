import type { Knex } from 'knex';
import knexModule from 'knex';
import PostgresTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import { connectToServer, readOnly } from './postgres-hosts.ts';
import { watchSilence } from './postgres-probe.ts';

/** A connection pool or a transaction on it: what functions that read or write take. */
export type Database = Knex;
export type Transaction = Knex.Transaction;

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

/**
 * A transaction whose work runs only once it has begun. Knex runs it also where BEGIN failed: its first statement then fails with "Transaction
 * query already complete", which says nothing about why, and is what a transaction without a function is left with.
 */
class BegunTransaction extends PostgresTransaction {
  override begin(connection: pg.Client): Promise<void> {
    return this.#begun(super.begin(connection));
  }

  override savepoint(connection: pg.Client): Promise<void> {
    return this.#begun(super.savepoint(connection));
  }

  async #begun(beginning: Promise<unknown>): Promise<void> {
    await beginning;
    // The transaction is rejected with the error of BEGIN by now; this one only stops it.
    if (this.isCompleted()) throw new Error('the transaction did not begin');
  }
}

/**
 * Connects to whichever server of an address takes writes, and sends a connection one statement at a time: readers ask several things at
 * once, and within a transaction they share a connection, on which `pg` no longer queues by itself from version 9 on.
 */
class DatabaseClient extends PostgresClient {
  override acquireRawConnection(): Promise<pg.Client> {
    const { connectionString, connectionTimeoutMillis } = this.config.connection as pg.ClientConfig;
    return connectToServer(connectionString!, connectionTimeoutMillis!, async (address, timeoutMs) => {
      // Knex reads them before it returns.
      Object.assign(this.connectionSettings, {
        connectionString: address,
        connectionTimeoutMillis: timeoutMs,
      });
      const connection: pg.Client = await super.acquireRawConnection();
      addressOf.set(connection, address);
      return connection;
    });
  }

  override transaction(...options: unknown[]): Knex.Transaction {
    return new BegunTransaction(this, ...options) as never;
  }

  override _query(connection: pg.Client, statement: object): Promise<{ response: pg.QueryResult }> {
    const before = lastOf.get(connection);
    const send = () => {
      const answer = super._query(connection, statement);
      const { silentMs } = this.config as { silentMs?: number };
      watchSilence(connection, addressOf.get(connection)!, answer, silentMs ?? defaultSilentMs);
      return answer;
    };
    const answered = before === undefined ? send() : before.then(send);
    const onError = (error: Error & { code?: string }) => {
      sentences.set(error, error.message);
      // The server is a standby now: the pool must not use this connection again.
      if (error.code === readOnly) Object.assign(connection, { __knex__disposed: error.code });
    };
    lastOf.set(connection, answered.then(ignore, onError));
    return answered;
  }
}

const defaultSilentMs = 8000;
/** Work that recurs every minute reuses its connection. */
const defaultIdleMs = 90_000;
const ignore = () => {};
/** Which server each connection is to. */
const addressOf = new WeakMap<pg.Client, string>();
/** What PostgreSQL says of an error. Knex puts the statement before it. */
const sentences = new WeakMap<Error, string>();
/** What each connection was asked last. */
const lastOf = new WeakMap<pg.Client, Promise<void>>();

export interface DatabaseOptions {
  /** Maximum number of connections; default 10. */
  connections?: number;
  /** Number of idle connections to keep open; default 0. */
  kept?: number;
  /** Milliseconds after which other idle connections are closed; default 90,000. */
  idleMs?: number;
  /** Shown in `pg_stat_activity`. */
  name?: string;
  /** Milliseconds to wait for a connection; default 5000. */
  connectTimeout?: number;
  /** Milliseconds without an answer to a statement after which the server is asked whether it is there; default 8000. */
  silentMs?: number;
  /** Looks at the first connection before anything uses it. If this rejects, the next new connection is looked at. */
  onFirst?(connection: pg.Client): Promise<void>;
}

/**
 * Opens a connection pool. Time zone, timeouts and the like are settings of the role that the URL names (`migrations/rights.ts`): a
 * connection has no state of its own, so a pooler in transaction mode may stand in between.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 10, kept = 0, idleMs = defaultIdleMs } = options;
  const { name = 'public-picks', connectTimeout = 5000 } = options;
  let { onFirst } = options;
  return knexModule.knex({
    client: DatabaseClient,
    connection: {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: connectTimeout,
      // A server that vanished is noticed on an idle connection as well.
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      types,
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: connectTimeout,
    ...(options.silentMs === undefined ? {} : { silentMs: options.silentMs }),
    // Knex throws what it would print here.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
    pool: {
      min: kept,
      max: connections,
      idleTimeoutMillis: idleMs,
      afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
        const look = onFirst;
        onFirst = undefined;
        if (look === undefined) return done(null, connection);
        look(connection).then(
          () => done(null, connection),
          () => {
            onFirst = look;
            done(null, connection);
          },
        );
      },
    },
  });
}

/** `2026-01-10 17:05:00.123+00`, in whatever zone the session has, to epoch milliseconds. */
function parseInstant(text: string): number {
  const offset = text.search(/[+-]\d\d(:\d\d)?$/);
  const zone = text.slice(offset);
  return Date.parse(
    `${text.slice(0, 10)}T${text.slice(11, offset)}${zone.length === 3 ? `${zone}:00` : zone}`,
  );
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
}

/** Whether an error means that the database refused what cannot be true: docs/security.md#guards-against-a-false-row. */
export function isRefused(error: unknown): error is Error {
  return (error as { code?: string }).code?.startsWith('PP') === true;
}

/** Whether an error means that a file of PostgreSQL's is damaged (SQLSTATE XX001, XX002): a page whose checksum is wrong, or an index. */
export function isDamaged(error: unknown): error is Error {
  return /^XX00[12]$/.test((error as { code?: string }).code ?? '');
}

/**
 * Whether an error is the fault of a row: the database refused it as impossible, or as contrary to its types and constraints (SQLSTATE
 * classes PP, 22, 23), or JavaScript cannot represent a value.
 */
export function isFaultOfData(error: unknown): error is Error {
  return (
    error instanceof RangeError ||
    isRefused(error) ||
    /^(22|23)...$/.test((error as { code?: string }).code ?? '')
  );
}

/** What PostgreSQL says of an error, without the statement. */
export function sentenceOf(error: Error): string {
  return sentences.get(error) ?? error.message;
}

/**
 * Whether an error means that a transaction was rolled back because of its data or of another transaction (SQLSTATE classes PP, 22, 23, 40).
 * After a lost connection that is not known.
 */
export function isRolledBack(error: unknown): boolean {
  return isRefused(error) || /^(22|23|40)...$/.test((error as { code?: string }).code ?? '');
}

/**
 * Whether an error means that the database is unavailable, shutting down, failing over (a write was sent to a standby), out of connections,
 * memory or disk, held up by another session (lock and idle timeouts), or unable to read its own files, rather than that a statement is wrong.
 */
export function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === 'KnexTimeoutError') return true;
  if (
    code !== undefined &&
    (/^(08|57P0|53[123]|55P03|25P03|25006)/.test(code) ||
      isDamaged(error) ||
      /^E(CONN|PIPE|HOST|NET|NOTFOUND|TIMEDOUT|AI_AGAIN)/.test(code))
  )
    return true;
  return /Connection terminated|timeout expired|Unable to acquire a connection|is not queryable/.test(
    message ?? '',
  );
}
