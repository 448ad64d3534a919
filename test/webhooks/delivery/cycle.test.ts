import { expect } from 'chai';
import { beginCycle } from '../../../src/webhooks/delivery/cycle.ts';
import { resume } from '../../../src/webhooks/subscriptions/manage.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';

describe('the fanout cycle', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada', 'bo'], ['nba', 'nfl']);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    fanout = await createFanout(stores.database, { allow: [receiver.host] });
  });
  afterEach(async () => {
    await stores.database('webhook_subscriptions').update({ status: 'revoked' });
    await fanout.close();
    await receiver.close();
  });

  const uuids = () => receiver.received.map(({ body }) => JSON.parse(body).pick.pickUuid as string);
  const later = (): number => {
    fanout.clock.set(fanout.clock.now() + 1000);
    return fanout.clock.now();
  };
  const publish = (picks: Parameters<typeof post>[2]) => post(stores.database, world, picks, later());

  it('sends 120 picks in three cycles as 50, 50, and 20, in the order of the log, each once', async () => {
    await fanout.subscribe(receiver.url());
    const posted = await publish(Array.from({ length: 120 }, () => ({})));
    const counts: number[] = [];
    for (let cycle = 0; cycle < 4; cycle += 1) {
      await fanout.cycle();
      counts.push(receiver.received.length);
    }
    expect(counts).to.deep.equal([50, 100, 120, 120]);
    expect(uuids()).to.deep.equal(posted);
  });

  it('sends nothing more within a cycle, whatever is posted and however often it polls', async () => {
    await fanout.subscribe(receiver.url());
    await publish(Array.from({ length: 51 }, () => ({})));
    await fanout.cycle();
    await publish([{}]);
    const { fanout: second } = await fanout.tick();
    expect(second).to.include({ began: false, due: 0 });
    expect(receiver.received).to.have.length(50);
    await fanout.cycle();
    expect(receiver.received).to.have.length(52);
  });

  it('sends a new subscription no old event', async () => {
    await publish([{}, {}]);
    await fanout.cycle();
    await publish([{}]);
    await fanout.subscribe(receiver.url());
    await fanout.cycle();
    expect(receiver.received).to.have.length(0);
    const [next] = await publish([{}]);
    await fanout.cycle();
    expect(uuids()).to.deep.equal([next]);
  });

  it("sends what was sealed between subscribing and the filter's first cycle", async () => {
    await publish([{ capper: 'bo', sport: 'nfl' }]);
    await fanout.subscribe(receiver.url(), { capper: 'bo', sport: 'nfl' });
    const [next] = await publish([{ capper: 'bo', sport: 'nfl' }]);
    await fanout.cycle();
    expect(uuids()).to.deep.equal([next]);
  });

  it('matches filters by capper, by sport, by both, and by none, for both events', async () => {
    const filters = [{}, { capper: 'ada' }, { sport: 'nfl' }, { capper: 'bo', sport: 'nba' }];
    for (const [index, filter] of filters.entries())
      await fanout.subscribe(receiver.url(`/${index}`), filter);
    const posted = await publish([
      { capper: 'ada', sport: 'nba' },
      { capper: 'ada', sport: 'nfl' },
      { capper: 'bo', sport: 'nba' },
      { capper: 'bo', sport: 'nfl' },
    ]);
    await settle(stores.database, posted, later());
    await fanout.cycle();
    const seen = (path: string) =>
      receiver.received
        .filter((request) => request.path === path)
        .map(({ body }) => JSON.parse(body))
        .map(({ event, pick }) => `${event} ${posted.indexOf(pick.pickUuid)}`);
    const both = (...indices: number[]) => [
      ...indices.map((index) => `pick.posted ${index}`),
      ...indices.map((index) => `pick.settled ${index}`),
    ];
    expect(seen('/0')).to.deep.equal(both(0, 1, 2, 3));
    expect(seen('/1')).to.deep.equal(both(0, 1));
    expect(seen('/2')).to.deep.equal(both(1, 3));
    expect(seen('/3')).to.deep.equal(both(2));
  });

  it('announces no imported pick, nor its settlement', async () => {
    await fanout.subscribe(receiver.url());
    const old = await publish([{ imported: true }, { imported: true }]);
    const [live] = await publish([{}]);
    await settle(stores.database, old, later());
    await fanout.cycle();
    expect(uuids()).to.deep.equal([live]);
  });

  it('disables at exactly the fifth consecutive failure, and retries the same pick each time', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(500);
    const [first] = await publish([{}, {}]);
    const states: unknown[] = [];
    for (let cycle = 0; cycle < 6; cycle += 1) {
      await fanout.cycle();
      const row = await findSubscription(stores.database, id);
      states.push([row?.status, row?.consecutive_failures, row?.disabled_at]);
    }
    const at = fanout.clock.now() - 60_000;
    expect(states).to.deep.equal([
      ['active', 1, null],
      ['active', 2, null],
      ['active', 3, null],
      ['active', 4, null],
      ['disabled', 5, at],
      ['disabled', 5, at],
    ]);
    expect(uuids()).to.deep.equal(Array(5).fill(first));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
  });

  it('forgets failures after any success', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(Array.from({ length: 3 }, () => ({})));
    for (const [answers, strikes] of [
      [[500], 1],
      [[500], 2],
      [[500], 3],
      [[500], 4],
      [[200, 500], 1],
      [[500], 2],
    ] as const) {
      const queue = [...answers];
      receiver.answer = (response, received) => status(queue.shift() ?? 500)(response, received);
      await fanout.cycle();
      expect(await findSubscription(stores.database, id)).to.include({
        status: 'active',
        consecutive_failures: strikes,
      });
    }
  });

  it('continues from where an enabled subscription stopped', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(500);
    const posted = await publish([{}, {}, {}]);
    for (let cycle = 0; cycle < 5; cycle += 1) await fanout.cycle();
    receiver.answer = status(204);
    receiver.received.length = 0;
    await resume(stores.database, (await findSubscription(stores.database, id))!, 'cursor');
    await fanout.cycle();
    expect(uuids()).to.deep.equal(posted);
  });

  it('continues from the next event when enabled from the head', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(500);
    await publish([{}]);
    for (let cycle = 0; cycle < 5; cycle += 1) await fanout.cycle();
    receiver.answer = status(204);
    receiver.received.length = 0;
    await resume(stores.database, (await findSubscription(stores.database, id))!, 'head');
    const posted = await publish([{}]);
    await fanout.cycle();
    expect(uuids()).to.deep.equal(posted);
  });

  it('waits as long as a receiver asks for, up to an hour', async () => {
    await fanout.subscribe(receiver.url('/hour'));
    await fanout.subscribe(receiver.url('/minutes'));
    receiver.answer = (response, { path }) =>
      response.writeHead(429, { 'Retry-After': path === '/hour' ? '86400' : '150' }).end();
    await publish([{}]);
    const begun = fanout.clock.now();
    const paths: Record<number, string[]> = {};
    for (const minute of [1, 2, 3, 4, 59, 60, 61]) {
      receiver.received.length = 0;
      fanout.clock.set(begun + minute * 60_000);
      await fanout.tick();
      paths[minute] = receiver.received.map(({ path }) => path).sort();
    }
    expect(paths).to.deep.equal({
      1: ['/hour', '/minutes'],
      2: [],
      3: [],
      4: ['/minutes'],
      59: ['/minutes'],
      60: [],
      61: ['/hour'],
    });
  });

  it('counts a minute once if the clocks of two workers are a minute apart', async () => {
    const start = Date.parse('2029-01-01T00:00:00Z');
    const began: boolean[] = [];
    for (const ms of [0, 60_000, 0, 119_999, 59_999, 120_000, 60_000])
      began.push((await beginCycle(stores.database, start + ms)).began);
    expect(began).to.deep.equal([true, true, false, false, false, true, false]);
  });

  it('counts a cycle even after the clock was set back', async () => {
    await fanout.subscribe(receiver.url());
    const posted = await publish([{}]);
    fanout.clock.set('2028-01-01T00:00:00Z');
    await fanout.tick();
    expect(uuids()).to.deep.equal(posted);
  });
});
