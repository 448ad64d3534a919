import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { migrate } from '../../migrations/migrate.ts';
import type { Login } from '../../migrations/rights.ts';
import { bringUp } from '../../src/local/bring-up.ts';
import { databaseLogins } from '../../src/local/environment.ts';
import { preparePostgres } from '../../src/local/postgres.ts';
import type { Product } from './product.ts';
import type { StackContext } from './stack.ts';

/** A stack's own PostgreSQL with a live log, run by the supervisor as `postgres`. */
export interface OwnServer {
  url(login: Login): string;
  /** Runs a query under the superuser. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** @param variables of the server's environment */
export async function startOwnServer(
  context: StackContext,
  variables: Readonly<Record<string, string>> = {},
): Promise<OwnServer> {
  const dataDir = join(context.folder, 'server');
  mkdirSync(dataDir, { mode: 0o711 });
  const options = { dataDir, say: () => {}, aborted: context.aborted, databases: ['picks'], variables };
  const postgres = await preparePostgres(options);
  await bringUp(postgres, context.supervisor, context.aborted);
  const { urls, passwords } = databaseLogins({ ownerUrl: postgres.ownerUrl('picks') });
  await migrate(urls.owner, 'live', { passwords });
  return {
    url: (login) => urls[login],
    async query(sql) {
      const client = new pg.Client({ connectionString: postgres.superuserUrl('picks') });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

/** Runs the audit in its own process. @returns its exit status and output */
export async function auditOf(
  { root, folder }: StackContext,
  { environment }: Product,
  server: OwnServer,
): Promise<{ status: number; output: string }> {
  const audit = spawn(process.execPath, [join(root, 'src', 'cli.ts'), 'audit'], {
    cwd: folder,
    env: { ...environment('sealing'), DATABASE_URL: server.url('auditor') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(audit.stdout),
    text(audit.stderr),
    once(audit, 'close'),
  ]);
  return { status, output: `${stdout}${stderr}`.trim() };
}
