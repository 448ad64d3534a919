import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { StreamEvent } from '../../src/stream/events.ts';
import { BeyondLog, createHub, type Hub } from '../../src/stream/hub.ts';
import { pageSize } from '../../src/stream/tail.ts';
import { type EventStream, eventStream } from '../support/event-stream.ts';
import { until } from '../support/until.ts';

const handles = ['ada', 'bram', 'cleo'];

/** Returns an in-memory log in which every fifth entry is not announced. */
function memoryLog(size = 0) {
  let end = size;
  const reads: [from: number, to: number][] = [];
  let fails = false;
  const eventAt = (seq: number): StreamEvent => ({
    seq,
    handle: handles[seq % handles.length] as string,
    sport: seq % 2 === 0 ? 'nba' : 'nfl',
    text: `id: ${seq}\nevent: posted\ndata: {"seq":${seq}}\n\n`,
  });
  const isEvent = (seq: number) => seq % 5 !== 4;
  return {
    reads,
    grow: (by: number) => {
      end += by;
    },
    fail: (next: boolean) => {
      fails = next;
    },
    /** Returns the ids that a client at position `after` must get. */
    ids: (after: number, handle?: string) =>
      Array.from({ length: end - after - 1 }, (_, index) => index + after + 1)
        .filter((seq) => isEvent(seq) && (handle === undefined || eventAt(seq).handle === handle))
        .map(String),
    reader: {
      async end() {
        await nextTurn();
        if (fails) throw new Error('out of reach');
        return end;
      },
      async events(from: number, to: number) {
        reads.push([from, to]);
        await nextTurn();
        if (fails) throw new Error('out of reach');
        const events: StreamEvent[] = [];
        for (let seq = from; seq < to; seq += 1) if (isEvent(seq)) events.push(eventAt(seq));
        return events;
      },
    },
  };
}

/** Reads a body as fast as it comes. */
function reading(body: Readable, into: EventStream = eventStream()): EventStream {
  body.on('data', (chunk: Buffer) => into.write(chunk.toString()));
  return into;
}

const ids = ({ events }: EventStream) => events.map(({ id }) => id);

describe('the hub of the event stream', () => {
  const hubs: Hub[] = [];
  const hubOf = (...given: Parameters<typeof createHub>) => {
    const hub = createHub(...given);
    hubs.push(hub);
    return hub;
  };
  afterEach(() => {
    for (const hub of hubs.splice(0)) hub.close();
  });

  it('starts a client at the next event, or after a position in the log', async () => {
    const log = memoryLog(1000);
    const hub = hubOf(log.reader);
    const fresh = reading(await hub.follow(undefined, {}));
    const resumed = reading(await hub.follow(300, {}));
    log.grow(10);
    hub.wake();
    await until(() => resumed.events.length >= log.ids(300).length);
    expect(ids(fresh)).to.deep.equal(log.ids(999));
    expect(ids(resumed)).to.deep.equal(log.ids(300));
  });

  it("sends only what a client's filters match", async () => {
    const log = memoryLog(10);
    const hub = hubOf(log.reader);
    const ada = reading(await hub.follow(undefined, { handle: 'ada' }));
    const both = reading(await hub.follow(undefined, { handle: 'bram', sport: 'nba' }));
    log.grow(60);
    hub.wake();
    const wanted = log.ids(9, 'ada');
    await until(() => ada.events.length >= wanted.length);
    expect(ids(ada)).to.deep.equal(wanted);
    expect(ids(both)).to.deep.equal(log.ids(9, 'bram').filter((id) => Number(id) % 2 === 0));
  });

  it('reads new entries once, and old ones once per page, however many clients follow', async () => {
    const log = memoryLog(4 * pageSize + 7);
    const hub = hubOf(log.reader);
    const clients = await Promise.all(
      Array.from({ length: 300 }, (_, index) => hub.follow(index, {}).then((body) => reading(body))),
    );
    await until(() => clients.every((client) => client.lastId() === String(4 * pageSize + 6)));
    log.grow(3);
    hub.wake();
    await until(() => clients.every((client) => ids(client).at(-1) === log.ids(0).at(-1)));
    const pages = log.reads.map(([from]) => from);
    expect(pages).to.have.lengthOf(new Set(pages).size);
    expect(pages).to.have.lengthOf(4 + 1 + 1);
  });

  it('sends a client its position when nothing matches, so that it can resume from there', async () => {
    const log = memoryLog(0);
    const hub = hubOf(log.reader, { beatMs: 5 });
    const client = reading(await hub.follow(undefined, { handle: 'nobody' }));
    log.grow(500);
    hub.wake();
    await until(() => client.lastId() === '499');
    expect(client.events).to.deep.equal([]);
    expect(client.comments()).to.be.greaterThan(0);
    expect(client.retry()).to.be.within(1000, 3000);
  });

  it('writes no faster than a client reads, without losing events', async () => {
    const log = memoryLog(0);
    const hub = hubOf(log.reader);
    const slow = await hub.follow(-1, {});
    log.grow(20_000);
    hub.wake();
    await until(() => {
      slow.read(0);
      return slow.readableLength > 500;
    });
    for (let turn = 0; turn < 200; turn += 1) {
      slow.read(0);
      await nextTurn();
    }
    expect(slow.readableLength).to.be.below(32 * 1024);
    const read = reading(slow);
    await until(() => read.lastId() === log.ids(-1).at(-1));
    expect(ids(read)).to.deep.equal(log.ids(-1));
  });

  it('waits while the log cannot be read, and then resumes', async () => {
    const log = memoryLog(5 * pageSize);
    const hub = hubOf(log.reader, { pollMs: 5 });
    const client = reading(await hub.follow(undefined, {}));
    log.fail(true);
    const behind = reading(await hub.follow(0, {}));
    log.grow(10);
    hub.wake();
    await nextTurn();
    expect([...ids(client), ...ids(behind)]).to.deep.equal([]);
    log.fail(false);
    await until(() => behind.events.length >= log.ids(0).length && client.events.length >= 8);
    expect(ids(client)).to.deep.equal(log.ids(5 * pageSize - 1));
    expect(ids(behind)).to.deep.equal(log.ids(0));
  });

  it('refuses a position beyond the log, after checking for new entries', async () => {
    const log = memoryLog(10);
    const hub = hubOf(log.reader);
    await hub.follow(undefined, {});
    const refusal = await hub.follow(10, {}).catch((error) => error);
    expect(refusal).to.be.instanceOf(BeyondLog).and.include({ last: 9 });
    log.grow(5);
    expect(reading(await hub.follow(14, {})).events).to.deep.equal([]);
  });

  it('tells clients when to reconnect, and ends, on close', async () => {
    const log = memoryLog(10);
    const hub = hubOf(log.reader);
    const client = await hub.follow(undefined, {});
    const read = reading(client);
    const ended = new Promise((resolve) => client.once('end', resolve));
    hub.close();
    await ended;
    expect(read.retry()).to.be.within(1000, 3000);
    await until(() => hub.count() === 0);
  });

  it('reads the log only while it has clients', async () => {
    const log = memoryLog(10);
    const hub = hubOf(log.reader, { pollMs: 2 });
    const client = await hub.follow(undefined, {});
    client.destroy();
    await until(() => hub.count() === 0);
    let ends = 0;
    const { end } = log.reader;
    log.reader.end = () => {
      ends += 1;
      return end();
    };
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setTimeout(next, 2));
    expect(ends).to.be.below(3);
  });

  it('neither loses nor repeats an event, whatever breaks', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ grow: fc.integer({ min: 1, max: 400 }) }) },
      { weight: 2, arbitrary: fc.record({ breaks: fc.nat(7) }) },
      { weight: 1, arbitrary: fc.record({ restart: fc.constant(true) }) },
      { weight: 1, arbitrary: fc.record({ turns: fc.nat(5) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(700), fc.array(step, { maxLength: 25 }), async (size, steps) => {
        const log = memoryLog(size);
        let hub = hubOf(log.reader);
        const clients = Array.from({ length: 8 }, (_, index) => ({
          after: index < 4 ? size - 1 : Math.min(size - 1, index * 50 - 201),
          handle: index % 2 === 0 ? undefined : handles[index % 3],
          read: eventStream(),
          body: undefined as Readable | undefined,
        }));
        type Client = (typeof clients)[number];
        const connect = async (client: Client) => {
          const last = client.read.lastId();
          const after = last === '' ? client.after : Number(last);
          client.body = await hub.follow(after, { handle: client.handle });
          // A broken connection's partial event is not the client's.
          const last2 = client.read.lastId();
          if (last2 !== last) throw new Error('a broken connection continued');
          const { body } = client;
          body.on('data', (chunk: Buffer) => {
            if (body === client.body) client.read.write(chunk.toString());
          });
        };
        for (const client of clients) await connect(client);
        for (const each of steps) {
          if ('grow' in each) {
            log.grow(each.grow);
            hub.wake();
          } else if ('breaks' in each) {
            const client = clients[each.breaks] as Client;
            client.body?.destroy();
            client.body = undefined;
            await connect(client);
          } else if ('restart' in each) {
            for (const client of clients) client.body = undefined;
            hub.close();
            hub = hubOf(log.reader);
            for (const client of clients) await connect(client);
          } else for (let turn = 0; turn < each.turns; turn += 1) await nextTurn();
        }
        hub.wake();
        for (const client of clients) {
          const wanted = log.ids(client.after, client.handle);
          await until(() => client.read.events.length >= wanted.length);
          expect(ids(client.read)).to.deep.equal(wanted);
        }
        hub.close();
      }),
      { numRuns: 40 },
    );
  });
});
