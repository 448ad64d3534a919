import { expect } from 'chai';
import { demoHistoryMs } from '../../src/demo/progress.ts';
import { tags } from '../../src/projections/tags.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { forgetUnsealed } from '../support/forget-unsealed.ts';
import { withRedis } from '../support/redis.ts';
import { type Watching, watching } from '../support/watching.ts';

describe('an incident', () => {
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  let watch: Watching;
  let published = 0;

  before(async () => {
    site = await startApi({ database, redis }, { clock });
    watch = watching({
      clock,
      database: database.database,
      redis: redis.redis,
      databaseUrl: database.url,
      only: ([name]) => name === 'sealing',
      async onIncidents() {
        published += 1;
        await site.cache.bump([tags.incidents], published);
      },
    });
  });
  after(async () => {
    await watch?.close();
    await site?.close();
  });

  async function rounds(count: number): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      clock.set(clock.now() + 15_000);
      await watch.round();
    }
  }

  async function banner(path = '/leaderboard'): Promise<string | undefined> {
    const page = await (await fetch(site.address + path)).text();
    return /<aside class="trouble.*<\/aside>/.exec(page)?.[0];
  }

  it("appears on cached pages too, in readers' words, until it is over", async () => {
    await rounds(1);
    const before = await banner();
    await database.owner('unsealed_events').insert({ kind: 'notice', subject_id: 1 });
    await rounds(7);
    const open = await banner();
    await rounds(40);
    const down = await banner();
    const elsewhere = await Promise.all(['/', '/cappers', '/how', '/sharp'].map(banner));
    const { status } = (await (await fetch(`${site.address}/api/status`)).json()) as { status: string };
    await forgetUnsealed(database.owner);
    await rounds(2);
    const after = await banner();
    expect([before, after]).to.deep.equal([undefined, undefined]);
    expect(open).to.contain('trouble degraded').and.to.contain('Some data is delayed.');
    expect(open).to.contain('New picks and results are missing from boards, receipts, and webhooks.');
    expect(open).to.contain('Since <time datetime="2026-01-15T12:01').and.to.contain('href="/ops"');
    expect(down).to.contain('trouble down').and.to.contain('Some features are unavailable.');
    for (const each of elsewhere) expect(each).to.equal(down);
    expect(status).to.equal('down');
    // Start, opening, worsening, end.
    expect(published).to.equal(4);
  });
});

describe('a demo that is still loading', () => {
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;

  before(async () => {
    site = await startApi({ database, redis }, { clock, settings: { DEMO: '1' } });
  });
  after(() => site?.close());

  async function banner() {
    const answer = await fetch(`${site.address}/webhooks`);
    const text = /<aside class="trouble.*<\/aside>/.exec(await answer.text())?.[0].replace(/<[^>]*>/g, '');
    return { text, kept: answer.headers.get('cache-control') };
  }

  it('says how much has loaded instead of what checks find, on pages that nobody may cache', async () => {
    await database.owner('status_incidents').insert({
      id: '0f8fad5b-d9cb-469f-a165-70867728950e',
      check_name: 'closings',
      title: 'Overdue closings',
      status: 'down',
      worst: 'down',
      message: 'Overdue.',
      affects: [],
      opened_at: new Date(clock.now()),
    });
    const first = await banner();
    const until = new Date(clock.now() - 0.6 * demoHistoryMs - 86_400_000);
    await database.owner('demo_progress').insert({ id: 1, until });
    const amid = await banner();
    const status = await (await fetch(`${site.address}/ops`)).text();
    await database.owner('demo_progress').update({ until: new Date(clock.now()) });
    const done = await banner();
    expect(first.text).to.contain('Loading demo data: 0%.').and.not.to.contain('unavailable');
    expect(first.kept).to.contain('max-age=2');
    expect(amid.text).to.contain('Loading demo data: 40%.');
    expect(status).to.contain('<h1>Loading demo data: 40%</h1>').and.not.to.contain('are unavailable');
    expect(done.text).to.contain('Some features are unavailable.').and.not.to.contain('Loading');
    expect(done.kept).to.contain('max-age=300');
  });
});
