import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import knexModule from 'knex';
import PostgresTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import { connectToServer, readOnly } from './postgres-hosts.ts';
import { breakConnection, watchSilence } from './postgres-probe.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

const timestamptz = 1184;
const bigint = 20;
const date = 1082;

/** Parses instants to epoch milliseconds and bigints to numbers, and leaves dates as text. */
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
 * Runs a transaction's work only after BEGIN succeeded. Knex also runs it after a failed BEGIN, and the first statement then fails with
 * "Transaction query already complete", which hides the cause.
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
    // Knex has already rejected the transaction with BEGIN's error; this one only stops the work.
    if (this.isCompleted()) throw new Error('the transaction did not begin');
  }
}

/**
 * Connects to the server of an address that accepts writes, and sends one statement at a time per connection. Concurrent reads within a
 * transaction share a connection, and `pg` 9 does not queue them.
 */
class DatabaseClient extends PostgresClient {
  override acquireRawConnection(): Promise<pg.Client> {
    const { connectionString, connectionTimeoutMillis } = this.config.connection as pg.ClientConfig;
    return connectToServer(connectionString!, connectionTimeoutMillis!, async (address, timeoutMs) => {
      // Knex reads these before it returns.
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

  override _query(connection: pg.Client, statement: Statement): Promise<{ response: pg.QueryResult }> {
    const before = lastOf.get(connection);
    const send = () => {
      const answer = super._query(connection, direct.has(connection) ? named(statement) : statement);
      const { silentMs = defaultSilentMs, statementMs = defaultStatementMs } = this.config as Silence;
      watchSilence(connection, addressOf.get(connection)!, answer, { silentMs, statementMs });
      owe(connection, answer);
      return answer;
    };
    const answered = before === undefined ? send() : before.then(send);
    const onError = (error: Error & { code?: string }) => {
      sentences.set(error, error.message);
      // The server is now a standby, or a prepared statement is outdated: the pool must not reuse this connection.
      if (error.code === readOnly || error.code === outdatedPlan)
        Object.assign(connection, { __knex__disposed: error.code });
    };
    lastOf.set(connection, answered.then(ignore, onError));
    return answered;
  }
}

const defaultSilentMs = 8000;
const defaultStatementMs = 15 * 60_000;
/** Longer than a minute, so that minutely work reuses its connection. */
const defaultIdleMs = 90_000;
const ignore = () => {};
const addressOf = new WeakMap<pg.Client, string>();
/** PostgreSQL's message of each error. Knex puts the statement before it. */
const sentences = new WeakMap<Error, string>();
const lastOf = new WeakMap<pg.Client, Promise<void>>();

interface Statement {
  sql: string;
  bindings?: readonly unknown[];
  options?: object;
}

/** Connections of pools with {@link DatabaseOptions.prepared} that lead to a session of their own, without a pooler in between. */
const direct = new WeakSet<pg.Client>();
/** SQLSTATE of a prepared statement whose tables have changed. */
const outdatedPlan = '0A000';
/** Number of uses by text of statement, which names those that recur. */
const uses = new Map<string, number>();
/** Each connection keeps at most so many prepared statements. */
const maxNamed = 500;

/** A pooler answers a new connection with a process id of its own invention. */
async function findDirect(connection: pg.Client): Promise<void> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  if (rows[0]?.pid === (connection as { processID?: number }).processID) direct.add(connection);
}

/** Names a statement with parameters from its third use on: its connection then prepares it once. */
function named(statement: Statement): Statement {
  const { sql, bindings = [] } = statement;
  if (bindings.length === 0) return statement;
  const count = uses.get(sql) ?? 0;
  if (count === 0 && uses.size >= maxNamed) return statement;
  uses.set(sql, count + 1);
  return count < 2
    ? statement
    : { ...statement, options: { name: createHash('sha1').update(sql).digest('hex') } };
}

/** Connections that owe an answer to work in {@link breakable}. */
const owing = new AsyncLocalStorage<Set<pg.Client>>();

function owe(connection: pg.Client, answer: Promise<unknown>): void {
  const connections = owing.getStore();
  if (connections === undefined) return;
  connections.add(connection);
  const done = () => connections.delete(connection);
  answer.then(done, done);
}

/**
 * Starts work that can be given up.
 * @returns the work, and a function that breaks the connections which owe it an answer. Their pools drop them: a session that was stopped
 *   amid a statement looks busy to PostgreSQL, and would stay in its pool, with the locks of its transaction.
 */
export function breakable<T>(work: () => Promise<T>): { done: Promise<T>; giveUp(): void } {
  const connections = new Set<pg.Client>();
  return {
    done: owing.run(connections, work),
    giveUp() {
      for (const connection of connections) breakConnection(connection);
    },
  };
}

interface Silence {
  /** Time without an answer to a statement before the server is probed, in ms; default 8000. */
  silentMs?: number;
  /** Time after which a statement without an answer has failed, in ms; default 15 minutes. */
  statementMs?: number;
}

/** Bounds of pools whose statements someone waits for. `statement_timeout` of `web` (`migrations/rights.ts`) ends a live one sooner. */
export const awaited: Readonly<Required<Silence>> = { silentMs: 1500, statementMs: 20_000 };

export interface DatabaseOptions extends Silence {
  /** Maximum number of connections; default 10. */
  connections?: number;
  /** Number of idle connections to keep open; default 0. */
  kept?: number;
  /** Time after which other idle connections close, in ms; default 90,000. */
  idleMs?: number;
  /** Name shown in `pg_stat_activity`. */
  name?: string;
  /**
   * Whether statements that recur are prepared once per connection, which halves their time where PostgreSQL spends half of it on parsing
   * and planning, as for a post. Default false.
   */
  prepared?: boolean;
  /** Timeout for a connection, in ms; default 5000. */
  connectTimeout?: number;
  /** Inspects the first connection before anything uses it. If it rejects, the next new connection is inspected. */
  onFirst?(connection: pg.Client): Promise<void>;
}

/**
 * Opens a connection pool. Time zone, timeouts, and so on are settings of the login (`migrations/rights.ts`). Connections hold no state, so
 * a pooler in transaction mode may sit in between.
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
      // Detects a vanished server on idle connections too.
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      types,
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: connectTimeout,
    ...({ silentMs: options.silentMs, statementMs: options.statementMs } as object),
    // Knex also throws what it would print here.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
    pool: {
      min: kept,
      max: connections,
      idleTimeoutMillis: idleMs,
      afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
        const inspect = onFirst;
        onFirst = undefined;
        Promise.all([inspect?.(connection), options.prepared === true && findDirect(connection)])
          .catch(() => {
            onFirst ??= inspect;
          })
          .then(() => done(null, connection));
      },
    },
  });
}

/** Parses `2026-01-10 17:05:00.123+00`, in any session time zone, to epoch milliseconds. */
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

/** SQLSTATE of an error, or the system's code; empty if it has none. */
function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** Reports whether the database refused a row as impossible: docs/security.md#guards-against-a-false-row. */
export function isRefused(error: unknown): error is Error {
  return codeOf(error).startsWith('PP');
}

/** Reports whether a page or index of PostgreSQL is damaged (SQLSTATE XX001, XX002). */
export function isDamaged(error: unknown): error is Error {
  return /^XX00[12]$/.test(codeOf(error));
}

/** Reports whether another transaction has stored what there can be only once (SQLSTATE 23505). */
export function isUnique(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/**
 * Reports whether an error is a row's fault. The database refused it as impossible, or for its types and constraints (SQLSTATE classes PP,
 * 22, 23), or JavaScript cannot represent a value.
 */
export function isFaultOfData(error: unknown): error is Error {
  return error instanceof RangeError || isRefused(error) || /^(22|23)...$/.test(codeOf(error));
}

/** Returns PostgreSQL's message of an error, without the statement. */
export function sentenceOf(error: Error): string {
  return sentences.get(error) ?? error.message;
}

/** Runs work in a transaction that is rolled back, to see what it would do. @returns what the work returns */
export async function undone<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const done: { result?: T } & Error = new Error('the work is done');
  await database
    .transaction(async (transaction) => {
      done.result = await work(transaction);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
  return done.result as T;
}

/**
 * Reports whether an error shows that a transaction was rolled back, because of its data or of another transaction (SQLSTATE classes PP,
 * 22, 23, 40). After a lost connection the outcome is unknown.
 */
export function isRolledBack(error: unknown): boolean {
  return isRefused(error) || /^(22|23|40)...$/.test(codeOf(error));
}

/**
 * Reports whether an error means that the database cannot serve now, rather than that a statement is wrong. It is unreachable, shutting
 * down, or failing over (a write reached a standby). It is out of connections, memory, or disk, or cannot read its files. Or another
 * session blocks it (lock and idle timeouts).
 */
export function isUnreachable(error: unknown): boolean {
  const { name, message = '' } = error as { name?: string; message?: string };
  return (
    name === 'KnexTimeoutError' ||
    isDamaged(error) ||
    /^(08|57P0|53[123]|55P03|25P03|25006|E(CONN|PIPE|HOST|NET|NOTFOUND|TIMEDOUT|AI_AGAIN))/.test(
      codeOf(error),
    ) ||
    /Connection terminated|timeout expired|Unable to acquire a connection|is not queryable/.test(message)
  );
}
