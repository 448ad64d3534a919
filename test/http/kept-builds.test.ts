import { expect } from 'chai';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { type Read, readsOf } from '../../src/platform/replica.ts';
import { startApi } from '../support/api.ts';
import { quiet } from '../support/quiet.ts';
import { withServedLeague } from '../support/served-league.ts';
import { until } from '../support/until.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
type Export = { db_reachable: boolean; count: number };
type Refusable = { status: number; db_reachable: boolean; retryAfter: string | null };

describe('exports and sitemaps', () => {
  const served = withServedLeague(now);

  async function withReads(buildReads: Read, work: (address: string) => Promise<void>): Promise<void> {
    const clock = { now: () => now };
    const api = await startApi(served, { clock, buildReads, settings: { TRUST_PROXY: '1' } });
    try {
      await work(api.address);
    } finally {
      await api.close();
    }
  }

  it('have the same content and entity tag whether built together or one by one', async () => {
    const ask = async (base: string, path: string, coding: string) => {
      const answer = await fetch(base + path, { headers: { 'Accept-Encoding': coding } });
      const headers = ['etag', 'content-encoding', 'content-type'].map((name) => answer.headers.get(name));
      return { path, coding, headers, text: await answer.text() };
    };
    const asked = ['json', 'csv?limit=3', 'csv', 'json?sport=nfl', 'csv?limit=7', 'json?limit=2']
      .map((export_) => `/record/export.${export_}`)
      .concat('/sitemap.xml', '/sitemap/picks-1.xml')
      .flatMap((path) => ['identity', 'gzip', 'br'].map((coding) => [path, coding] as const));
    const read: Read = (work) => work(served.database.database);
    const alone: unknown[] = [];
    await withReads(read, async (address) => {
      for (const [path, coding] of asked) alone.push(await ask(address, path, coding));
    });
    await withReads(read, async (address) => {
      const together = await Promise.all(asked.map(([path, coding]) => ask(address, path, coding)));
      expect(together).to.deep.equal(alone);
    });
  });

  it('come without rows, and say so, if no connection can be made', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/nothing';
    const database = openDatabase(url);
    const availability = createAvailability(keptProbe(url), quiet);
    try {
      await withReads(readsOf(database, availability, undefined), async (address) => {
        const answer = await fetch(`${address}/record/export.json`);
        expect(answer.status).to.equal(200);
        expect(await answer.json()).to.include({ db_reachable: false, count: 0 });
      });
    } finally {
      await database.destroy();
    }
  });

  it('wait only behind others of the same client, and come without rows and with Retry-After when too many wait', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isSlow = true;
    const read: Read = async (work) => {
      if (isSlow) await released;
      return work(served.database.database);
    };
    await withReads(read, async (address) => {
      const ask = async (query: string, client: string): Promise<Refusable> => {
        const answer = await fetch(`${address}/record/export.json?${query}`, {
          headers: { 'X-Forwarded-For': client, 'Accept-Encoding': 'identity' },
        });
        const { db_reachable } = (await answer.json()) as Export;
        // Of many concurrent requests, the bound on those in flight refuses some before they are counted here.
        if (answer.status === 503) return ask(query, client);
        return { status: answer.status, db_reachable, retryAfter: answer.headers.get('retry-after') };
      };
      const refused: Refusable[] = [];
      const flood = Array.from({ length: 110 }, async (_, index) => {
        const answer = await ask(`after_id=${index}`, '203.0.113.7');
        if (!answer.db_reachable) refused.push(answer);
        return answer;
      });
      // Two requests run and a hundred wait.
      await until(() => refused.length >= 8);
      expect(refused[0]).to.deep.equal({ status: 200, db_reachable: false, retryAfter: '10' });
      isSlow = false;
      const other = await ask('sport=nfl', '198.51.100.9');
      expect(other).to.deep.equal({ status: 200, db_reachable: true, retryAfter: null });
      release();
      const answers = await Promise.all(flood);
      // On a busy machine some wait longer than allowed.
      expect(refused).to.have.length.within(8, 108);
      expect(answers.every(({ status }) => status === 200)).to.equal(true);
    });
  });

  it('leave the queue when their client disconnects, so that the next request proceeds', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reads = 0;
    const read: Read = async (work) => {
      reads += 1;
      await released;
      return work(served.database.database);
    };
    await withReads(read, async (address) => {
      const paths = ['json', 'csv'].map((export_) => `${address}/record/export.${export_}`);
      const hangUp = new AbortController();
      const aborted = paths.map((path) => fetch(path, { signal: hangUp.signal }).catch(() => 'aborted'));
      // The most that one client may have built at once.
      await until(() => reads === 2);
      hangUp.abort();
      expect(await Promise.all(aborted)).to.deep.equal(['aborted', 'aborted']);
      release();
      const other = await fetch(`${address}/record/export.json?limit=2`);
      expect(await other.json()).to.include({ db_reachable: true, count: 2 });
    });
  });
});
