import { expect } from 'chai';
import { request } from 'undici';
import { changesChannel } from '../../src/answers/changes.ts';
import { checker } from '../../src/platform/schema.ts';
import { streamEventSchema } from '../../src/stream/events.ts';
import { post, type Stage, settle, stage } from '../support/announcements.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { type EventStream, eventStream } from '../support/event-stream.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const at = Date.parse('2026-01-15T12:00:00Z');

describe('/api/stream', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;
  let set: Stage;
  const open = new Set<() => void>();

  before(async () => {
    set = await stage(database.database, ['ada', 'bram'], ['nba', 'nfl']);
    api = await startApi({ database, redis });
  });
  afterEach(() => {
    for (const close of open) close();
    open.clear();
  });
  after(() => api?.close());

  async function follow(query = '', headers: Record<string, string> = {}, address = api.address) {
    const aborted = new AbortController();
    const response = await request(`${address}/api/stream${query}`, { headers, signal: aborted.signal });
    const read = eventStream();
    response.body.on('data', (chunk: Buffer) => read.write(chunk.toString()));
    response.body.on('error', () => {});
    const close = () => aborted.abort();
    open.add(close);
    return { response, read, close };
  }
  const changed = () => redis.redis.publish(changesChannel(redis.redis), '*');
  const kinds = ({ events }: EventStream) => events.map(({ event }) => event);

  it('sends each event of a pick as documented, with its position in the log', async () => {
    const { response, read } = await follow();
    expect(response.statusCode).to.equal(200);
    expect(response.headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(response.headers).not.to.have.any.keys('etag', 'content-encoding', 'content-length');
    const [uuid = ''] = await post(database.database, set, [{ pick: '\u2028 data: x' }], at);
    await settle(database.database, [uuid], at, 105);
    await changed();
    await until(() => read.events.length >= 3);
    expect(kinds(read)).to.deep.equal(['posted', 'closed', 'settled']);
    const entries: { seq: number; hash: Buffer }[] = await database
      .database('ledger_entries')
      .where({ uuid })
      .orderBy('seq')
      .select('seq', 'hash');
    const check = checker(streamEventSchema);
    for (const [index, { id, event, data }] of read.events.entries()) {
      const body = JSON.parse(data);
      const checked = check(body);
      expect(checked.ok ? [] : checked.faults).to.deep.equal([]);
      expect([id, body.seq, body.hash]).to.deep.equal([
        String(entries[index]?.seq),
        entries[index]?.seq,
        entries[index]?.hash.toString('hex'),
      ]);
      expect([body.event, body.pick.pickUuid, body.pick.pick]).to.deep.equal([event, uuid, '\u2028 data: x']);
    }
    const [, closed, settled] = read.events.map(({ data }) => JSON.parse(data));
    expect(closed.closing).to.include({ oddsAmerican: 105, oddsDecimal: 2.05 });
    expect(settled.settlement).to.include({ result: 'win', closingOddsAmerican: 105, netUnits: 1.36 });
  });

  it('announces no imported pick', async () => {
    const { read } = await follow();
    await post(database.database, set, [{ imported: true, pick: 'old' }, { pick: 'new' }], at);
    await changed();
    await until(() => read.events.length > 0);
    expect(read.events.map(({ data }) => JSON.parse(data).pick.pick)).to.deep.equal(['new']);
  });

  it('resumes after the last event id, from the header or else the parameter', async () => {
    await post(database.database, set, [{}, {}, {}, {}], at);
    const whole = (await follow('?after=-1')).read;
    await until(() => whole.events.length >= 4);
    const third = whole.events[2]?.id ?? '';
    const byHeader = (await follow('?after=0', { 'Last-Event-ID': third })).read;
    const byParameter = (await follow(`?after=${third}`)).read;
    const rest = whole.events.slice(3);
    await until(() => byHeader.events.length >= rest.length && byParameter.events.length >= rest.length);
    expect(byHeader.events).to.deep.equal(rest);
    expect(byParameter.events).to.deep.equal(rest);
  });

  it('sends what its filters match, with handles in any case', async () => {
    const { read } = await follow('?capper_handle=BRAM&sport=nba');
    const bram = { capper: 'bram', sport: 'nba' };
    const picks = [{ capper: 'ada', sport: 'nba' }, { capper: 'bram', sport: 'nfl' }, bram];
    const uuids = await post(database.database, set, picks, at);
    await changed();
    await until(() => read.events.length > 0);
    expect(read.events.map(({ data }) => JSON.parse(data).pick.pickUuid)).to.deep.equal([uuids[2]]);
  });

  for (const [query, status, detail] of [
    ['?capper_handle=nobody', 404, 'There is no capper "nobody"'],
    ['?sport=cricket', 400, 'must be one of nba, nfl'],
    ['?after=x', 400, 'after'],
    ['?after=-2', 400, 'after'],
    ['?after=99999', 400, 'The log has no entry 99999: its last one is '],
    ['?after=1&after=2', 400, 'must be given once'],
  ] as const)
    it(`answers ${status} to ${query}`, async () => {
      const { statusCode, headers, body } = await request(`${api.address}/api/stream${query}`);
      expect([statusCode, headers['content-type']]).to.deep.equal([status, 'application/problem+json']);
      expect(((await body.json()) as { detail: string }).detail).to.contain(detail);
    });

  it('refuses an id that no event has', async () => {
    const { response } = await follow('', { 'Last-Event-ID': '0x10' });
    expect(response.statusCode).to.equal(400);
  });

  it('answers HEAD without keeping a connection open', async () => {
    const response = await request(`${api.address}/api/stream`, { method: 'HEAD' });
    expect([response.statusCode, response.headers['content-type']]).to.deep.equal([200, 'text/event-stream']);
    await response.body.dump();
  });

  it('answers 429 beyond a hundred streams per address, until one closes', async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, () => follow()));
    expect(streams.map(({ response }) => response.statusCode)).to.deep.equal(Array(100).fill(200));
    const { response } = await follow();
    expect(response.statusCode).to.equal(429);
    expect(Number(response.headers['retry-after'])).to.be.greaterThan(0);
    streams[0]?.close();
    await until(async () => (await follow()).response.statusCode === 200);
  });

  it('ends at shutdown, and says when to reconnect', async () => {
    const other = await startApi({ database, redis });
    try {
      const { response, read } = await follow('', {}, other.address);
      const ended = new Promise((resolve) => response.body.once('end', resolve));
      other.api.startShutdown();
      await ended;
      expect(read.retry()).to.be.within(1000, 3000);
    } finally {
      await other.close();
    }
  });
});
