import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { cancelled } from '../../src/jobs/job.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { openIncidents } from '../../src/status/state.ts';
import { type ChatReceiver, chatReceiver } from '../support/chat-receiver.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { forgetUnsealed } from '../support/forget-unsealed.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { type Watching, watching } from '../support/watching.ts';

const start = Date.parse('2026-01-15T12:00:00Z');
const [second, hour] = [1000, 3_600_000];

describe('the status worker and the chat', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();
  const clock = fixedClock(start);
  let postgres: Outage;
  let redisOutage: Outage;
  let database: Database;
  let redis: Redis;
  let chat: ChatReceiver;
  let watch: Watching;

  beforeEach(async () => {
    clock.set(start);
    await ownRedis.redis.flushdb();
    await ownDatabase.owner.raw('truncate status_watch, status_incidents, status_days');
    await forgetUnsealed(ownDatabase.owner);
    [postgres, redisOutage] = [await withOutage(ownDatabase.url), await withOutage(ownRedis.url)];
    database = openDatabase(postgres.url, { connectTimeout: 1000 });
    redis = openRedis(redisOutage.url, quiet);
    await ready(redis);
    chat = await chatReceiver();
    watch = begin();
  });
  afterEach(async () => {
    await watch.close();
    redis.disconnect();
    await Promise.all([postgres.close(), redisOutage.close(), chat.close()]);
    await database.destroy();
  });

  function begin(): Watching {
    return watching({
      clock,
      database,
      redis,
      databaseUrl: postgres.url,
      chatUrl: `${chat.address}/services/a-secret`,
      heartbeat: `${chat.address}/heartbeat`,
      // checks.test.ts covers the findings. These few show how incidents follow from them.
      only: (names) => names.some((name) => /^(database|redis|sealing|closings|jobs-)/.test(name)),
    });
  }

  /** Ends the worker, as an operator would, and starts another one. */
  async function restart(): Promise<void> {
    await watch.close();
    watch = begin();
  }

  async function rounds(count: number, apart = 15 * second): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      clock.set(clock.now() + apart);
      await watch.round();
    }
  }

  /** Stores events that nobody seals, as if the sealing worker hung. */
  const holdSealing = () => ownDatabase.owner('unsealed_events').insert({ kind: 'notice', subject_id: 1 });
  const seal = () => forgetUnsealed(ownDatabase.owner);
  const posts = () => chat.heard.filter(({ method }) => method === 'POST').length;
  const beats = () => chat.heard.filter(({ path }) => path === '/heartbeat').length;
  const heading = '*Public Picks, test*\n';

  it('announces the opening, the worsening, a reminder, and the end with its duration, each once', async () => {
    await rounds(2);
    await holdSealing();
    await rounds(1);
    // Degraded from 60 s on, in two consecutive rounds.
    await rounds(5);
    expect(chat.messages).to.deep.equal([
      `${heading}*DEGRADED* Sealing. 1 event not sealed yet, the oldest for 1 min 15 s.`,
    ]);
    await rounds(40);
    expect(chat.messages.slice(1)).to.deep.equal([
      `${heading}*NOW DOWN* Sealing. 1 event not sealed yet, the oldest for 10 min 15 s.`,
    ]);
    await rounds(7, hour);
    expect(chat.messages.slice(2)).to.have.length(1);
    expect(chat.messages[2]).to.match(/^\*Public Picks, test\*\n\*STILL DOWN after 6 h 10 min\* Sealing\. /);
    await seal();
    await rounds(4);
    expect(chat.messages.slice(3)).to.deep.equal([`${heading}*RECOVERED after 7 h 10 min* Sealing.`]);
    await rounds(4);
    expect(chat.messages).to.have.length(4);
  });

  it('repeats and forgets nothing across restarts', async () => {
    await holdSealing();
    await rounds(1);
    await restart();
    await rounds(4);
    await restart();
    expect(chat.messages).to.have.length(0);
    await rounds(1);
    expect(chat.messages, 'counting continued across the restart').to.have.length(1);
    await restart();
    await rounds(3);
    expect(chat.messages).to.have.length(1);
    await restart();
    await seal();
    await rounds(1);
    await restart();
    await rounds(1);
    expect(chat.messages).to.have.length(2);
    expect(chat.messages[1]).to.match(/RECOVERED after/);
    await restart();
    await rounds(3);
    expect(chat.messages).to.have.length(2);
    const stored = await database('status_incidents').select('closed_at', 'told_status', 'recovery_told_at');
    expect(stored).to.have.length(1);
    expect(stored[0]).to.include({ told_status: 'degraded' });
    expect(stored[0].recovery_told_at).to.be.a('number');
  });

  it('retries a message after 500 and 429, at the time the chat asks for, even across a restart', async () => {
    await holdSealing();
    chat.answerNext(500);
    chat.answerNext(429, { 'Retry-After': '120' });
    await rounds(6);
    expect(posts(), 'tried once').to.equal(1);
    await restart();
    await rounds(1);
    expect(chat.messages).to.deep.equal([]);
    expect(posts(), 'tried again after 15 s').to.equal(2);
    await rounds(7);
    await restart();
    expect(posts(), 'not retried early').to.equal(2);
    await rounds(2);
    expect(chat.messages).to.have.length(1);
    await rounds(2);
    expect(posts()).to.equal(3);
  });

  it('summarizes in one line an incident that ended before it could be announced', async () => {
    await holdSealing();
    chat.answerWith((_, res) => res.writeHead(500).end());
    await rounds(6);
    await seal();
    await rounds(8);
    chat.answerWith(undefined);
    await rounds(40);
    expect(chat.messages).to.have.length(1);
    expect(chat.messages[0]).to.match(
      /\*RECOVERED\* Sealing\. It was degraded for 30 s; no alert could be sent at the time\.$/,
    );
  });

  it('sends one message for a Redis outage, with the number of affected checks', async () => {
    await rounds(2);
    await redisOutage.cut();
    await rounds(3);
    expect(chat.messages).to.have.length(1);
    expect(chat.messages[0]).to.match(
      /\n\*DOWN\* Redis\. Redis does not answer\. [1-9]\d* other checks affected\.$/,
    );
    expect((await watch.check('jobs-sealing')).cause).to.equal('redis');
    await redisOutage.restore();
    await ready(redis);
    await rounds(3);
    expect(chat.messages.slice(1)).to.deep.equal([`${heading}*RECOVERED after 45 s* Redis.`]);
  });

  it('announces a PostgreSQL outage during the outage, and stores it after', async () => {
    await rounds(2);
    await postgres.cut();
    await rounds(3);
    expect(chat.messages).to.have.length(1);
    expect(chat.messages[0]).to.match(
      /\n\*DOWN\* PostgreSQL\. PostgreSQL does not answer\. [1-9]\d* other checks affected\.$/,
    );
    await rounds(2);
    await postgres.restore();
    await rounds(3);
    expect(chat.messages).to.have.length(2);
    expect(chat.messages[1]).to.equal(`${heading}*RECOVERED after 1 min 15 s* PostgreSQL.`);
    const [incident] = await database('status_incidents').select('*');
    expect(incident).to.include({ check_name: 'database', worst: 'down', told_status: 'down' });
    expect(incident.closed_at - incident.opened_at).to.equal(75 * second);
  });

  it('announces the outage again after a restart during it, and its end once', async () => {
    await rounds(2);
    await postgres.cut();
    await rounds(2);
    await restart();
    await rounds(3);
    expect(chat.messages).to.have.length(2);
    await postgres.restore();
    expect(await watch.round()).to.deep.equal(cancelled('another process watches'));
    // The claim of the first one expires.
    await ownDatabase.owner('status_watch').update({ held_until: new Date(0) });
    await rounds(3);
    expect(chat.messages.slice(2)).to.have.length(1);
    expect(chat.messages[2]).to.match(/RECOVERED after .* PostgreSQL\.$/);
    await restart();
    await rounds(2);
    expect(chat.messages).to.have.length(3);
  });

  it('joins stored incidents after a start without both stores', async () => {
    await holdSealing();
    await rounds(6);
    expect(chat.messages).to.have.length(1);
    const before = await openIncidents(ownDatabase.database);
    await watch.close();
    await redisOutage.cut();
    await postgres.cut();
    watch = begin();
    await rounds(2);
    expect(chat.messages[1]).to.match(/\*DOWN\* PostgreSQL.*\n\*DOWN\* Redis/);
    await postgres.restore();
    await redisOutage.restore();
    await ready(redis);
    await rounds(2);
    expect(chat.messages.slice(2), 'one message for both').to.have.length(1);
    await rounds(2);
    const open = await openIncidents(ownDatabase.database);
    expect(open.map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    expect(chat.messages, 'sealing is not announced again').to.have.length(3);
  });

  it('has a second worker stand by and take over when the first one ends', async () => {
    await holdSealing();
    await rounds(2);
    const other = begin();
    expect(await other.round()).to.deep.equal(cancelled('another process watches'));
    await rounds(4);
    await other.round();
    expect(chat.messages).to.have.length(1);
    await watch.close();
    watch = other;
    await rounds(2);
    expect((await watch.round()).figures).to.include({ open: 1 });
    expect(chat.messages).to.have.length(1);
  });

  it('calls the heartbeat once a minute while no incident is open, and not otherwise', async () => {
    await rounds(9);
    expect(beats()).to.equal(3);
    await holdSealing();
    await rounds(6);
    const before = beats();
    await rounds(12);
    expect(beats()).to.equal(before);
    await seal();
    await rounds(6);
    expect(beats()).to.be.greaterThan(before);
  });

  it('counts the rounds of each Eastern day, and leaves out unmeasured ones', async () => {
    await rounds(3);
    await redisOutage.cut();
    await rounds(1);
    const days = await database('status_days').orderBy('name').select('*');
    const of = (name: string) => days.filter((row) => row.name === name);
    expect(of('database')).to.deep.equal([
      { name: 'database', day: '2026-01-15', ok: 4, degraded: 0, down: 0 },
    ]);
    expect(of('redis')).to.deep.equal([{ name: 'redis', day: '2026-01-15', ok: 3, degraded: 0, down: 1 }]);
    expect(of('jobs-sealing')).to.deep.equal([
      { name: 'jobs-sealing', day: '2026-01-15', ok: 3, degraded: 0, down: 0 },
    ]);
    await redisOutage.restore();
    await ready(redis);
    clock.set(clock.now() + 91 * 24 * hour);
    await watch.round();
    expect(await database('status_days').distinct('day')).to.deep.equal([{ day: '2026-04-16' }]);
  });

  it('sends no address or secret in a message', async () => {
    await postgres.cut();
    await redisOutage.cut();
    await rounds(3);
    expect(chat.messages.join()).to.not.match(/:\/\/|127\.0\.0\.1|a-secret|postgres@/);
    expect(chat.messages).to.have.length(1);
  });
});
