import { expect } from 'chai';
import { createVapid } from '../../../src/webhooks/messages/web-push.ts';
import { nextTown, post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { type Device, makeDevice } from '../../support/device.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';

describe('notifications on devices', () => {
  const stores = withDatabase();
  let service: Receiver;
  let fanout: TestFanout;
  let world: Stage;
  let device: Device;
  let publicKey: string;

  const begin = async (at?: string) => {
    fanout = await createFanout(stores.database, { allow: [service.host], ...(at !== undefined && { at }) });
    publicKey = createVapid(fanout.sealer, 'https://picks.example').publicKey;
  };
  const follow = (filter: { capper?: string; sport?: string } = {}, path = '/send/1') =>
    fanout.subscribe(service.url(path), { ...filter, keys: device.keys });
  const shown = () =>
    service.received.splice(0).map((each) => device.open(each, `https://${service.host}`, publicKey));
  const rows = () => stores.database('webhook_subscriptions').orderBy('id');

  before(async () => {
    world = await stage(stores.database, ['ada', 'bram'], ['nba', 'nfl']);
    service = await startReceiver({ answer: status(201) });
  });
  after(() => service.close());
  beforeEach(async () => {
    device = makeDevice();
    await begin();
  });
  afterEach(async () => {
    await fanout.close();
    await stores.database('webhook_subscriptions').delete();
    service.received.length = 0;
    service.answer = status(201);
  });

  it('say who posted which bet at which odds, when the game starts, and how it settled', async () => {
    const { id } = await follow({ capper: 'ada' });
    const [uuid] = await post(stores.database, world, [{ oddsAmerican: -130 }], fanout.clock.now());
    expect((await fanout.cycle()).outcomes).to.deep.equal([
      { id, lane: 'push', sent: 1, ended: 'everything sent' },
    ]);
    const [headers] = service.received.map((each) => each.headers);
    expect(headers).to.include({ ttl: '86400', urgency: 'high' });
    const [posted] = shown();
    expect(posted).to.deep.include({
      url: `https://picks.example/p/${uuid}`,
      tag: uuid,
      startsAt: '2030-01-01T18:00:00.000Z',
    });
    expect(posted!.title).to.match(/^ada: Home \w+ .*\(−130\)$/);
    expect(posted!.body).to.match(/^Away \w+ @ Home \w+$/);
    await settle(stores.database, [uuid!], fanout.clock.now());
    await fanout.cycle();
    const [settled] = shown();
    expect(settled!.title).to.match(/^(WIN|LOSS|PUSH|VOID) for ada: Home /);
    expect(settled).to.include({ tag: uuid }).and.not.to.have.property('startsAt');
  });

  it('are one message for all events of a cycle', async () => {
    await follow({ capper: 'ada' });
    await post(stores.database, world, Array(7).fill({}), fanout.clock.now());
    await fanout.cycle();
    const [only, ...others] = shown();
    expect(others).to.deep.equal([]);
    expect(only).to.include({ title: '7 new picks', url: 'https://picks.example/c/ada' });
    expect(only!.body.split('\n')).to.have.length(5);
    expect(only!.body).to.match(/and 3 more$/);
  });

  it('stay within the size that every push service takes, whatever the texts', async () => {
    await follow();
    const words = [
      '"'.repeat(200),
      '\u{1f3c0}'.repeat(100),
      '漢'.repeat(200),
      '\\'.repeat(200),
      '\ufeff'.repeat(200),
    ];
    await post(
      stores.database,
      world,
      words.map((pick) => ({ pick })),
      fanout.clock.now(),
    );
    await fanout.cycle();
    expect(shown()).to.have.length(1);
  });

  it('are only of the wanted market, tier, and event', async () => {
    const keys = device.keys;
    await fanout.subscribe(service.url('/send/1'), {
      keys,
      market: 'moneyline',
      tier: 'elite',
      event: 'pick.settled',
    });
    await fanout.subscribe(service.url('/send/1'), { keys, market: 'spread' });
    await fanout.subscribe(service.url('/send/1'), { keys, tier: 'listed' });
    const [uuid] = await post(stores.database, world, [{}], fanout.clock.now());
    await fanout.cycle();
    expect(service.received).to.have.length(0);
    await settle(stores.database, [uuid!], fanout.clock.now());
    await fanout.cycle();
    expect(shown().map(({ tag }) => tag)).to.deep.equal([uuid]);
  });

  it('are only of games of the wanted team', async () => {
    const about = (team: string) => ({ entities: { team, player: null, about: [`team:${team}`] } });
    await fanout.subscribe(service.url('/send/1'), { keys: device.keys, ...about(`home ${nextTown()}`) });
    const [uuid] = await post(stores.database, world, [{}, {}], fanout.clock.now());
    await fanout.cycle();
    expect(shown().map(({ tag }) => tag)).to.deep.equal([uuid]);
  });

  it('leave out picks whose game has started', async () => {
    await fanout.close();
    await begin('2030-01-01T17:58:30Z');
    await follow();
    await post(stores.database, world, [{}], fanout.clock.now());
    fanout.clock.set('2030-01-01T17:59:30Z');
    const { outcomes } = await fanout.cycle();
    expect(outcomes.map(({ sent, ended }) => [sent, ended])).to.deep.equal([[0, 'nothing to send']]);
    expect(service.received).to.have.length(0);
    expect((await fanout.cycle()).fanout.due).to.equal(0);
  });

  it('resume at what is new after a long silence', async () => {
    await follow();
    service.answer = status(503, { 'Retry-After': '3600' });
    await post(stores.database, world, Array(20).fill({}), fanout.clock.now());
    await fanout.cycle();
    service.received.length = 0;
    service.answer = status(201);
    fanout.clock.set(fanout.clock.now() + 3 * 3_600_000);
    await post(stores.database, world, [{}], fanout.clock.now());
    await fanout.cycle();
    expect(shown()[0]!.title).to.match(/^ada: /);
  });

  for (const gone of [404, 410])
    it(`end, with all that the device follows, when its push service answers ${gone}`, async () => {
      await follow({ capper: 'ada' });
      await follow({ sport: 'nfl' });
      const other = await fanout.subscribe(service.url('/send/2'), { keys: makeDevice().keys });
      service.answer = (response, { path }) => response.writeHead(path === '/send/1' ? gone : 201).end();
      await post(stores.database, world, [{}], fanout.clock.now());
      await fanout.cycle();
      expect((await rows()).map(({ id }) => id)).to.deep.equal([other.id]);
    });

  it('wait as long as Retry-After says, and stop after five failures in a row', async () => {
    await follow();
    service.answer = status(429, { 'Retry-After': '90' });
    await post(stores.database, world, [{}], fanout.clock.now());
    await fanout.cycle();
    expect(service.received).to.have.length(1);
    await fanout.cycle();
    expect(service.received, 'within the delay').to.have.length(1);
    service.answer = status(500);
    for (let cycle = 0; cycle < 6; cycle += 1) await fanout.cycle();
    expect(service.received).to.have.length(5);
    const [row] = await rows();
    expect(row).to.include({ status: 'disabled', consecutive_failures: 5 });
  });

  it('count a push service that hangs up as a failure, and try again', async () => {
    await follow();
    service.answer = (response) => response.destroy();
    await post(stores.database, world, [{}], fanout.clock.now());
    await fanout.cycle();
    expect((await rows())[0]).to.include({ consecutive_failures: 1, last_error: 'reset' });
    service.received.length = 0;
    service.answer = status(201);
    await fanout.cycle();
    expect(shown()).to.have.length(1);
  });

  it('start again at the newest entry when a disabled device follows again, under the same ID', async () => {
    const { id } = await follow();
    await stores.database('webhook_subscriptions').update({ status: 'disabled', disabled_at: new Date(0) });
    await post(stores.database, world, [{}], fanout.clock.now());
    expect((await follow()).id).to.equal(id);
    await fanout.cycle();
    expect(service.received).to.have.length(0);
    await post(stores.database, world, [{}], fanout.clock.now());
    await fanout.cycle();
    expect(shown()).to.have.length(1);
  });
});
