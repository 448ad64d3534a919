import { expect } from 'chai';
import fc from 'fast-check';
import { chatMessage, chatUrl } from '../../../src/webhooks/messages/chat.ts';
import type { AnnouncedEvent } from '../../../src/webhooks/messages/events.ts';
import { payloadOf } from '../../../src/webhooks/messages/payloads.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

const example: AnnouncedEvent = {
  seq: 7,
  kind: 'settled',
  uuid: '3f9d3a5e-6b7c-4d8e-9f00-112233445566',
  handle: 'ada_l',
  tier: 'verified_sharp',
  sport: 'nba',
  game: 'Gulls @ Foxes',
  startsAt: null,
  market: 'spread',
  side: 'home',
  lineE3: -3500,
  pick: 'Foxes -3.5',
  oddsAmerican: 105,
  stakeE4: 10_000,
  source: 'operator',
  postedAt: Date.parse('2029-06-01T10:00:00Z'),
  result: 'loss',
  settledAt: Date.parse('2029-06-01T12:00:00Z'),
  closingOdds: -110,
};
const payload = (changes: Partial<AnnouncedEvent> = {}) =>
  payloadOf({ ...example, ...changes }, { subscriptionId: 1, now: 0, baseUrl: 'https://picks.example' });

interface Embed {
  title: string;
  description: string;
  url: string;
  fields: { name: string; value: string }[];
  footer: { text: string };
  timestamp: string;
}
const embedsOf = (body: string): Embed[] => JSON.parse(body).embeds;

describe('chat messages', () => {
  it('tell of a settlement with its odds, its close and its permalink', () => {
    const [embed] = embedsOf(chatMessage([payload()]).body);
    expect(embed).to.deep.include({
      title: 'LOSS for ada\\_l',
      description: '**Foxes \\-3.5**\nGulls \\@ Foxes',
      url: `https://picks.example/p/${example.uuid}`,
      footer: { text: 'verified sharp · entry 7 of the log' },
      timestamp: '2029-06-01T12:00:00.000Z',
    });
    expect(embed?.fields.map(({ name, value }) => `${name}: ${value}`)).to.deep.equal([
      'Sport: NBA',
      'Market: spread',
      'Odds: +105',
      'Stake: 1 u',
      'Closing odds: \\-110',
    ]);
  });

  it('name nobody and link nowhere else, whatever a pick says', () => {
    const pick =
      '@everyone <@1> **bold** [x](https://evil.example) ~~s~~ ||spoiler|| `code` <#2> :smile: # h > q';
    const { body } = chatMessage([payload({ pick })]);
    expect(JSON.parse(body).allowed_mentions).to.deep.equal({ parse: [] });
    const [embed] = embedsOf(body);
    const shown = embed!.description.split('\n')[0]!.slice(2, -2);
    // Without what is escaped, nothing of the platform's markup is left.
    expect(shown.replace(/\\[^0-9A-Za-z\s]/g, '')).not.to.match(/[\\`*_~|<>#[\]():@]/);
    expect(shown.replace(/\\(?=[^0-9A-Za-z\s])/g, '')).to.equal(pick);
  });

  it("stay within the platform's limits and leave no event out, however long the texts", () => {
    const text = (longest: number) => fc.string({ minLength: 1, maxLength: longest, unit: 'binary' });
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ pick: text(300), game: text(200), sport: fc.stringMatching(/^[a-z0-9_-]{1,40}$/) }),
          {
            minLength: 1,
            maxLength: 50,
          },
        ),
        (events) => {
          let payloads = events.map((event) => payload(event));
          let told = 0;
          while (payloads.length > 0) {
            const { body, events: taken } = chatMessage(payloads);
            const embeds = embedsOf(body);
            expect(embeds).to.have.length(taken);
            expect(taken).to.be.within(1, 10);
            let sum = 0;
            for (const { title, description, fields, footer } of embeds) {
              expect(title.length).to.be.at.most(256);
              expect(description.length).to.be.at.most(4096);
              expect(fields.length).to.be.at.most(25);
              for (const { name, value } of fields) {
                expect(name.length).to.be.within(1, 256);
                expect(value.length).to.be.within(1, 1024);
                sum += name.length + value.length;
              }
              sum += title.length + description.length + footer.text.length;
            }
            expect(sum).to.be.at.most(6000);
            payloads = payloads.slice(taken);
            told += taken;
          }
          expect(told).to.equal(events.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are asked to be confirmed, whatever the address has in its query', () => {
    expect(chatUrl('https://discord.com/api/webhooks/1/x?thread_id=5&wait=false')).to.equal(
      'https://discord.com/api/webhooks/1/x?thread_id=5&wait=true',
    );
  });
});

describe('deliveries to the chat platform', () => {
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

  it('are embeds, ten a message, in order, without signature or event headers', async () => {
    const { id } = await fanout.subscribe(`https://DISCORD.com.:${receiver.port}/api/webhooks/1/token`);
    const uuids = await post(
      stores.database,
      world,
      Array.from({ length: 30 }, () => ({})),
      fanout.clock.now(),
    );
    await settle(stores.database, uuids, fanout.clock.now());
    const { outcomes } = await fanout.cycle();
    expect(outcomes).to.deep.equal([{ id, lane: 'chat', sent: 50, ended: 'all is sent' }]);
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

  it('pause when the platform says that its limit is reached, and go on after that within the cycle', async () => {
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
    expect(outcomes.map(({ sent, ended }) => [sent, ended])).to.deep.equal([[10, 'a pause is asked for']]);
    fanout.clock.set(fanout.clock.now() + 1400);
    expect((await fanout.tick()).fanout.due).to.equal(0);
    fanout.clock.set(fanout.clock.now() + 200);
    expect((await fanout.tick()).outcomes.map(({ sent }) => sent)).to.deep.equal([10]);
  });

  it('are sent again from the first one that was refused, after what the platform asks for', async () => {
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
