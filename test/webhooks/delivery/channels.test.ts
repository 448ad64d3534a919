import { expect } from 'chai';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

const embedsOf = (body: string): { url: string }[] => JSON.parse(body).embeds;

describe('deliveries to a chat platform', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
    receiver = await startReceiver({ names: ['discord.com'] });
    fanout = await createFanout(stores.database, {
      allow: [`discord.com:${receiver.port}`],
      client: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    });
  });
  after(async () => {
    await fanout.close();
    await receiver.close();
  });

  it('are embeds, ten per message, in order, without signature or event headers', async () => {
    const { id } = await fanout.subscribe(`https://DISCORD.com.:${receiver.port}/api/webhooks/1/token`);
    const uuids = await post(
      stores.database,
      world,
      Array.from({ length: 30 }, () => ({})),
      fanout.clock.now(),
    );
    await settle(stores.database, uuids, fanout.clock.now());
    const { outcomes } = await fanout.cycle();
    expect(outcomes).to.deep.equal([{ id, lane: 'chat', sent: 50, ended: 'everything sent' }]);
    await fanout.cycle();
    const counts = receiver.received.map(({ body }) => embedsOf(body).length);
    expect(counts).to.deep.equal([10, 10, 10, 10, 10, 10]);
    const links = receiver.received.flatMap(({ body }) => embedsOf(body).map(({ url }) => url));
    expect(links).to.deep.equal([...uuids, ...uuids].map((uuid) => `https://picks.example/p/${uuid}`));
    for (const { path, headers } of receiver.received) {
      expect(path).to.equal('/api/webhooks/1/token?wait=true');
      expect(Object.keys(headers).sort()).to.deep.equal([
        'connection',
        'content-length',
        'content-type',
        'host',
      ]);
    }
    const attempts = await stores.database('webhook_attempts').where({ subscription_id: id });
    expect(attempts.map(({ event, picks, status }) => [event, picks, status])).to.deep.equal(
      Array(6).fill(['message', 10, 204]),
    );
  });

  it('pause when the platform reports that its limit is reached, and resume within the cycle', async () => {
    receiver.received.length = 0;
    receiver.answer = (response) =>
      response.writeHead(200, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1.5' }).end();
    await post(
      stores.database,
      world,
      Array.from({ length: 20 }, () => ({})),
      fanout.clock.now(),
    );
    const { outcomes } = await fanout.cycle();
    expect(outcomes.map(({ sent, ended }) => [sent, ended])).to.deep.equal([[10, 'rate limited']]);
    fanout.clock.set(fanout.clock.now() + 1400);
    expect((await fanout.tick()).fanout.due).to.equal(0);
    fanout.clock.set(fanout.clock.now() + 200);
    expect((await fanout.tick()).outcomes.map(({ sent }) => sent)).to.deep.equal([10]);
  });

  it('resume from the first refused one, after the delay that the platform asks for', async () => {
    receiver.received.length = 0;
    receiver.answer = (response) => response.writeHead(429, { 'Retry-After': '90' }).end();
    const [uuid] = await post(stores.database, world, [{}, {}], fanout.clock.now());
    await fanout.cycle();
    receiver.answer = (response) => response.writeHead(200).end();
    await fanout.cycle();
    expect(receiver.received).to.have.length(1);
    await fanout.cycle();
    expect(receiver.received).to.have.length(2);
    for (const { body } of receiver.received) expect(embedsOf(body)[0]?.url).to.include(uuid);
    const [{ id }] = await stores.database('webhook_subscriptions').select('id');
    expect(await findSubscription(stores.database, id)).to.include({
      consecutive_failures: 0,
      last_status: 200,
    });
  });
});

describe('deliveries to Telegram', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
    receiver = await startReceiver({ names: ['api.telegram.org'] });
    fanout = await createFanout(stores.database, {
      allow: [`api.telegram.org:${receiver.port}`],
      client: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    });
  });
  after(async () => {
    await fanout.close();
    await receiver.close();
  });
  afterEach(async () => {
    receiver.received.length = 0;
    await stores.database('webhook_subscriptions').delete();
  });
  const subscribe = (chat: string) =>
    fanout.subscribe(`https://api.telegram.org:${receiver.port}/bot7:a-token/sendMessage?chat_id=${chat}`);
  const row = async () => (await stores.database('webhook_subscriptions'))[0]!;

  it('go to the chat, and the token is shown nowhere', async () => {
    await subscribe('-100123');
    await post(stores.database, world, [{}, {}], fanout.clock.now());
    receiver.answer = (response) => response.writeHead(200).end('{"ok":true,"result":{}}');
    await fanout.cycle();
    expect(receiver.received.map(({ path }) => path)).to.deep.equal([
      '/bot7:a-token/sendMessage?chat_id=-100123',
    ]);
    const stored = JSON.stringify(await row(), (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(stored).not.to.contain('a-token');
  });

  it('wait as long as the body of a 429 asks for', async () => {
    await subscribe('1');
    await post(stores.database, world, [{}], fanout.clock.now());
    receiver.answer = (response) =>
      response.writeHead(429).end('{"ok":false,"error_code":429,"parameters":{"retry_after":90}}');
    await fanout.cycle();
    expect(Number(new Date((await row()).retry_at!)) - fanout.clock.now()).to.equal(90_000);
  });

  it('end at once when the chat has blocked the bot', async () => {
    await subscribe('1');
    await post(stores.database, world, [{}], fanout.clock.now());
    receiver.answer = (response) =>
      response
        .writeHead(403)
        .end('{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}');
    await fanout.cycle();
    expect(await row()).to.include({ status: 'disabled', consecutive_failures: 1, last_status: 403 });
  });

  it('of one bot are 30 a second at most, over all of its chats', async () => {
    for (let chat = 1; chat <= 31; chat += 1) await subscribe(String(chat));
    await post(stores.database, world, [{}], fanout.clock.now());
    const at: number[] = [];
    receiver.answer = (response) => {
      at.push(performance.now());
      response.writeHead(200).end('{"ok":true}');
    };
    await fanout.cycle();
    expect(at).to.have.length(31);
    expect(at[30]! - at[0]!, 'the first and the 31st').to.be.at.least(900);
  });
});
