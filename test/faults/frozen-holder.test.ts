import { expect } from 'chai';
import pg from 'pg';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';

/** How long anyone may be blocked, in milliseconds: docs/security.md#database-logins. */
const limitMs = 15_000;

describe('a process that freezes while it holds the sealing lock', () => {
  const idle = withDatabase();
  const deaf = withDatabase();

  /** Opens a session of the sealing login that takes the lock and then does nothing. */
  async function holder(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: asLogin(url, 'sealing') });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await client.query(`select from sealing_locks where name = 'sealing' for update`);
    return client;
  }

  async function sealedAfter(url: string): Promise<number> {
    const database = openDatabase(asLogin(url, 'sealing'), { connections: 1 });
    const began = performance.now();
    try {
      await sealAll(database);
    } finally {
      await database.destroy();
    }
    return performance.now() - began;
  }

  it('blocks others for at most 15 seconds, between statements and during a response', async () => {
    const clients = [await holder(idle.url), await holder(deaf.url)] as const;
    const [, reader] = clients;
    // As under SIGSTOP: the response fills the connection's buffers, and nobody reads it.
    (reader as unknown as { connection: { stream: { pause(): void } } }).connection.stream.pause();
    void reader.query(`select repeat('x', 1000) from generate_series(1, 200000)`).catch(() => {});
    try {
      const [afterIdle, afterDeaf] = await Promise.all([sealedAfter(idle.url), sealedAfter(deaf.url)]);
      expect(afterIdle).to.be.within(8_000, limitMs);
      expect(afterDeaf).to.be.within(1_000, limitMs);
    } finally {
      for (const client of clients)
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  });
});
