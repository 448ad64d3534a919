import { expect } from 'chai';
import type { Build, Built } from '../../src/http/builds/build.ts';
import { type Builds, createBuilds } from '../../src/http/builds/builds.ts';
import { startApi } from '../support/api.ts';
import { withServedLeague } from '../support/served-league.ts';
import { until } from '../support/until.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const baseUrl = 'https://picks.example';
type Export = { db_reachable: boolean; count: number };
type Refusable = { status: number; db_reachable: boolean; retryAfter: string | null };

describe('builds', () => {
  const served = withServedLeague(now);

  async function withBuilds(builds: Builds, work: (address: string) => Promise<void>): Promise<void> {
    const clock = { now: () => now };
    const api = await startApi(served, { clock, builds, settings: { TRUST_PROXY: '1' } });
    try {
      await work(api.address);
    } finally {
      await api.close();
      await builds.close();
    }
  }

  it('in another thread give the same bytes and headers as here', async () => {
    await withBuilds(createBuilds({ databaseUrl: served.database.url, baseUrl }), async (address) => {
      for (const path of [
        '/record/export.json',
        '/record/export.csv?limit=3',
        '/sitemap.xml',
        '/sitemap/picks-1.xml',
      ])
        for (const coding of ['identity', 'gzip', 'br']) {
          const [here, there] = await Promise.all(
            [served.site.address, address].map(async (base) => {
              const answer = await fetch(base + path, { headers: { 'Accept-Encoding': coding } });
              const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers);
              return { headers, text: await answer.text() };
            }),
          );
          expect(there, `${path} in ${coding}`).to.deep.equal(here);
        }
      expect((await fetch(`${address}/sitemap/picks-99.xml`)).status).to.equal(404);
    });
  });

  it('in another thread that cannot connect leave an export without rows, which says so', async () => {
    await withBuilds(
      createBuilds({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', baseUrl }),
      async (address) => {
        const answer = await fetch(`${address}/record/export.json`);
        expect(answer.status).to.equal(200);
        expect(await answer.json()).to.include({ db_reachable: false, count: 0 });
      },
    );
  });

  it('of one client wait behind each other alone; what is too much has no rows and says when to come back', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const empty: Built = { etag: '"x"', bytes: new TextEncoder().encode('{"db_reachable":true}') };
    const slow: Builds = {
      async run(task: Build) {
        if (!('filter' in task) || task.filter.sport !== 'quick') await released;
        return { ...empty };
      },
      close: async () => {},
    };
    await withBuilds(slow, async (address) => {
      const ask = async (query: string, client: string): Promise<Refusable> => {
        const answer = await fetch(`${address}/record/export.json?${query}`, {
          headers: { 'X-Forwarded-For': client, 'Accept-Encoding': 'identity' },
        });
        const { db_reachable } = (await answer.json()) as Export;
        // Of requests that come all at once, the bound of those in flight refuses some before they are counted here.
        if (answer.status === 503) return ask(query, client);
        return { status: answer.status, db_reachable, retryAfter: answer.headers.get('retry-after') };
      };
      const refused: Refusable[] = [];
      const flood = Array.from({ length: 110 }, async (_, index) => {
        const answer = await ask(`after_id=${index}`, '203.0.113.7');
        if (!answer.db_reachable) refused.push(answer);
        return answer;
      });
      // Two run and a hundred wait.
      await until(() => refused.length >= 8, 10_000);
      expect(refused[0]).to.deep.equal({ status: 200, db_reachable: false, retryAfter: '10' });
      const other = await ask('sport=quick', '198.51.100.9');
      expect(other).to.deep.equal({ status: 200, db_reachable: true, retryAfter: null });
      release();
      const answers = await Promise.all(flood);
      // On a busy machine some wait for longer than they may.
      expect(refused).to.have.length.within(8, 108);
      expect(answers.every(({ status }) => status === 200)).to.equal(true);
    });
  });
});
