import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { takeLock } from '../../../migrations/locks.ts';
import { parseTarget, type Target } from '../../../src/webhooks/guard/target.ts';
import { announceEvents } from '../../../src/webhooks/messages/events.ts';
import { listAttempts, recordAttempt } from '../../../src/webhooks/subscriptions/attempts.ts';
import { pause, resume, revoke, rotate } from '../../../src/webhooks/subscriptions/manage.ts';
import {
  createSealer,
  sameSecret,
  secretContext,
  targetContext,
} from '../../../src/webhooks/subscriptions/secrets.ts';
import { type Subscribed, subscribe, type Wanted } from '../../../src/webhooks/subscriptions/subscribe.ts';
import { findSubscription, listSubscriptions } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { withDatabase } from '../../support/database.ts';
import { league } from '../../support/folders.ts';
import { ingest, runPipeline } from '../../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const sealer = createSealer(randomBytes(32).toString('base64'));
const nobody = '00000000-0000-4000-8000-000000000001';

function targetOf(url: string): Target {
  const parsed = parseTarget(url, new Set());
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.target;
}

describe('subscriptions', () => {
  const database = withDatabase();
  let head = 0;
  /** Each subscription comes from a new client, unless a test says otherwise. */
  let clients = 0;

  before(async () => {
    await ingest(database.database, league, now);
    await runPipeline(database.database, now);
    const [last] = await database.database('ledger_entries').max('seq as seq');
    head = (last as { seq: number }).seq + 1;
  });
  afterEach(() => database.database('webhook_subscriptions').delete());

  const ask = (wanted: Partial<Wanted> & { url?: string } = {}): Promise<Subscribed> => {
    const { url = 'https://hooks.receiver.net/a-path?key=a-key', ...rest } = wanted;
    return subscribe(
      database.database,
      sealer,
      {
        ownerEmail: 'Owner@Mail.net',
        client: `client ${++clients}`,
        target: targetOf(url),
        capperHandle: null,
        sport: null,
        ...rest,
      },
      now,
    );
  };
  const added = async (wanted: Partial<Wanted> & { url?: string } = {}) => {
    const answer = await ask(wanted);
    if (!answer.ok) throw new Error(answer.fault.message);
    return { ...answer, row: (await findSubscription(database.database, answer.id))! };
  };
  const rowOf = async (id: number) => (await database.database('webhook_subscriptions').where({ id }))[0];
  const disable = (id: number) =>
    database
      .database('webhook_subscriptions')
      .where({ id })
      .update({
        status: 'disabled',
        disabled_at: new Date(now),
        consecutive_failures: 5,
        failed_cycle: 3,
        retry_at: new Date(now),
        lease_until: new Date(now),
      });

  it("start at the log's head, with the requested fields", async () => {
    const { id, secret, row } = await added({ capperHandle: 'ADA', sport: 'NFL' });
    expect(head).to.be.greaterThan(10);
    expect((await rowOf(id)).cursor_seq).to.equal(head);
    expect(row).to.include({ capper_handle: 'ada', sport: 'nfl', status: 'active', platform: null });
    expect(sealer.open(row.target_url_sealed, targetContext(id))).to.equal(
      'https://hooks.receiver.net/a-path?key=a-key',
    );
    expect(sameSecret(secret, sealer.open(row.secret_sealed, secretContext(id)))).to.equal(true);
  });

  it('share the filter for what they have in common, even when created concurrently', async () => {
    const wanted = [
      {},
      { sport: 'nfl' },
      { sport: 'nba' },
      { capperHandle: 'ada' },
      { capperHandle: 'ada', sport: 'nfl' },
    ];
    await Promise.all([...wanted, ...wanted].map((each) => added(each)));
    const filters = await database.database('webhook_subscriptions').distinct('filter_id');
    expect(filters).to.have.lengthOf(5);
  });

  it('get a filter whose head is the newest matching event', async () => {
    const { database: db } = database;
    await database.owner('webhook_filters').delete();
    const [pick] = await db('picks').limit(1);
    const ada = (await db('cappers').where('handle', 'ada'))[0];
    const about = { market: 'spread', tier: 'listed' };
    const event = {
      pick_id: pick.id,
      kind: 'posted',
      ...about,
      about: ['player:Amy', 'team:foxes', 'team:owls'],
      at: new Date(now),
    };
    await db('webhook_events').insert([
      { ...event, seq: 901, capper_id: ada.id, sport: 'nfl' },
      { ...event, seq: 902, capper_id: ada.id + 1, sport: 'nfl' },
      { ...event, seq: 903, capper_id: ada.id + 1, sport: 'nba' },
    ]);
    try {
      const heads = [];
      for (const wanted of [
        {},
        { sport: 'nfl' },
        { capperHandle: 'ada' },
        { capperHandle: 'ada', sport: 'nba' },
        { market: 'Spread', tier: 'listed', event: 'pick.posted' },
        { sport: 'nfl', event: 'pick.posted' },
        { market: 'total' },
        { tier: 'elite' },
        { event: 'pick.settled' },
        { entities: { team: 'Owls', player: null, about: ['team:night owls', 'team:owls'] } },
        { entities: { team: null, player: 'Bea', about: ['player:Bea'] } },
      ] as const) {
        const { id } = await added(wanted);
        const { filter_id } = await rowOf(id);
        heads.push((await db('webhook_filters').where('id', filter_id))[0].head_seq);
      }
      expect(heads).to.deep.equal([903, 902, 901, -1, 903, 902, -1, -1, -1, 903, -1]);
    } finally {
      await database.owner('webhook_events').delete();
    }
  });

  it('miss no event that is read from the log while their filter is created', async () => {
    const { database: db } = database;
    await db('webhook_subscriptions').delete();
    await database.owner('webhook_filters').delete();
    const ada = (await db('cappers').where('handle', 'ada'))[0];
    const [pick] = await db('picks').limit(1);
    let subscribing: Promise<Subscribed> | undefined;
    // The reader has recorded an event of the filter, but not committed yet.
    await db.transaction(async (reader) => {
      await takeLock(reader, 'announcing');
      const at = new Date(now);
      await reader('webhook_events').insert({
        seq: 950,
        pick_id: pick.id,
        kind: 'posted',
        capper_id: ada.id,
        sport: 'nfl',
        market: 'spread',
        tier: 'listed',
        about: [],
        at,
      });
      subscribing = ask({ capperHandle: 'ada' });
      const early = await Promise.race([
        subscribing,
        new Promise((next) => setTimeout(() => next('waits'), 150)),
      ]);
      expect(early).to.equal('waits');
    });
    try {
      expect((await subscribing)?.ok).to.equal(true);
      expect(await db('webhook_filters').select('head_seq')).to.deep.equal([{ head_seq: 950 }]);
    } finally {
      await database.owner('webhook_events').delete();
    }
  });

  it('are refused for a capper or sport outside the ledger', async () => {
    expect(await ask({ capperHandle: 'nobody-here' })).to.deep.include({ ok: false });
    const refused = await ask({ sport: 'curling' });
    expect(refused).to.have.nested.property('fault.path', '/sport');
    expect(await database.database('webhook_subscriptions')).to.have.lengthOf(0);
  });

  it('are at most 100 per client, even when requested concurrently', async () => {
    const from = (client: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => ask({ client, ownerEmail: `owner${index}@mail.net` })),
      );
    for (let made = 0; made < 90; made += 15) await from('192.0.2.1', 15);
    const answers = await from('192.0.2.1', 14);
    expect(answers.filter(({ ok }) => ok)).to.have.lengthOf(10);
    const refused = answers.find(({ ok }) => !ok);
    expect(refused).to.have.nested.property('fault.message').that.contains('already has 100 subscriptions');
    expect((await from('192.0.2.2', 1))[0]?.ok).to.equal(true);
  });

  it("have no limit per e-mail or host, so that no one can use up another's", async () => {
    const url = 'https://shared.receiver.net/';
    for (let made = 0; made < 120; made += 15)
      await Promise.all(Array.from({ length: 15 }, () => added({ ownerEmail: 'victim@mail.net', url })));
    expect((await ask({ ownerEmail: 'victim@mail.net', url })).ok).to.equal(true);
  });

  it("free their client's capacity when revoked or disabled, but not when paused", async () => {
    const client = '192.0.2.3';
    const first = await added({ client });
    const second = await added({ client });
    for (let index = 0; index < 98; index++) await added({ client });
    expect((await ask({ client })).ok).to.equal(false);
    await pause(database.database, first.id, now);
    expect((await ask({ client })).ok).to.equal(false);
    await revoke(database.database, first.id, now);
    expect((await rowOf(first.id)).client, 'of a revoked one').to.equal(null);
    await added({ client });
    expect((await ask({ client })).ok).to.equal(false);
    await disable(second.id);
    await added({ client });
    expect(await resume(database.database, second.row, 'cursor'))
      .to.have.property('message')
      .that.contains('100 subscriptions');
    expect((await rowOf(second.id)).status).to.equal('disabled');
  });

  it('are listed by e-mail, with the address masked and no secret', async () => {
    const { id } = await added({ ownerEmail: 'lister@mail.net', sport: 'nfl' });
    await added({ ownerEmail: 'other@mail.net' });
    expect(await listSubscriptions(database.database, 'LISTER@mail.net')).to.deep.equal([
      {
        id,
        owner_email: 'lister@mail.net',
        target_host: 'hooks.receiver.net',
        target_url: 'https://hooks.receiver.net/…',
        capper_handle: null,
        sport: 'nfl',
        market: null,
        tier: null,
        team: null,
        player: null,
        event: null,
        status: 'active',
        consecutive_failures: 0,
        created_at: '2025-01-01T00:00:00.000Z',
        disabled_at: null,
        paused_at: null,
        last_delivery_at: null,
        last_status: null,
        next_seq: head,
      },
    ]);
    expect(await listSubscriptions(database.database, 'nobody@mail.net')).to.deep.equal([]);
  });

  it('are revoked permanently, and a delivery in progress cannot commit', async () => {
    const { id } = await added();
    const before = await rowOf(id);
    await revoke(database.database, id, now + 1000);
    await revoke(database.database, id, now + 2000);
    const after = await rowOf(id);
    expect(after).to.include({ status: 'revoked', revoked_at: now + 1000, lease_until: null });
    expect(after.generation).to.equal(before.generation + 1);
    expect(after.target_url_sealed).to.have.lengthOf(0);
    const row = (await findSubscription(database.database, id))!;
    expect(await resume(database.database, row, 'head'))
      .to.have.property('message')
      .that.contains('revoked');
  });

  it('resume from where they stopped or from the head when enabled, without failures', async () => {
    for (const [from, cursor] of [
      ['cursor', 3],
      ['head', head],
    ] as const) {
      const { id, row } = await added();
      await disable(id);
      await database.database('webhook_subscriptions').where({ id }).update({ cursor_seq: 3 });
      expect(await resume(database.database, row, from)).to.equal(undefined);
      expect(await rowOf(id)).to.include({
        status: 'active',
        cursor_seq: cursor,
        consecutive_failures: 0,
        disabled_at: null,
        retry_at: null,
        failed_cycle: null,
        lease_until: null,
        generation: 1,
      });
    }
  });

  it('are unchanged when enabled while active, except for skipping waiting events', async () => {
    const { id, row } = await added();
    const set = { cursor_seq: 3, consecutive_failures: 2, lease_until: new Date(now) };
    await database.database('webhook_subscriptions').where({ id }).update(set);
    await resume(database.database, row, 'cursor');
    expect(await rowOf(id)).to.include({ cursor_seq: 3, consecutive_failures: 2, generation: 0 });
    await resume(database.database, row, 'head');
    expect(await rowOf(id)).to.include({ cursor_seq: head, generation: 1, lease_until: null });
  });

  it('rotate once among concurrent rotations, and keep the previous secret', async () => {
    const { id, secret, row } = await added();
    const answers = await Promise.all(
      [1, 2, 3].map(() => rotate(database.database, sealer, row, 3600, now + 5000)),
    );
    const given = answers.filter((answer) => answer !== undefined);
    expect(given).to.have.lengthOf(1);
    const after = await rowOf(id);
    expect(after).to.include({ rotated_at: now + 5000, overlap_seconds: 3600 });
    expect(sealer.open(after.secret_sealed, secretContext(id))).to.equal(given[0]);
    expect(sealer.open(after.previous_secret_sealed, secretContext(id))).to.equal(secret);
  });

  it('keep no previous secret after a rotation without overlap', async () => {
    const { id, row } = await added();
    await rotate(database.database, sealer, row, 86_400, now);
    await rotate(database.database, sealer, (await findSubscription(database.database, id))!, 0, now);
    expect((await rowOf(id)).previous_secret_sealed).to.equal(null);
  });

  it('list only their own attempts, the latest first', async () => {
    const { id } = await added();
    const record = {
      subscription_id: id,
      event: 'pick.posted',
      pick_uuid: nobody,
      picks: 1,
      status: 500,
      error: 'http',
      duration_ms: 12,
    } as const;
    for (const [delivery_id, at] of [
      ['msg_a', now],
      ['msg_c', now + 86_400_000 * 3],
      ['msg_b', now + 86_400_000],
    ] as const)
      await recordAttempt(database.database, { ...record, delivery_id, at });
    await recordAttempt(database.database, { ...record, subscription_id: id + 1, delivery_id: 'x', at: now });
    const attempts = await listAttempts(database.database, id, 2);
    expect(attempts.map(({ delivery_id }) => delivery_id)).to.deep.equal(['msg_c', 'msg_b']);
    expect(attempts[1]).to.deep.equal({
      at: '2025-01-02T00:00:00.000Z',
      event: 'pick.posted',
      delivery_id: 'msg_b',
      pick_uuid: nobody,
      picks: 1,
      status: 500,
      duration_ms: 12,
      error: 'http',
    });
  });

  it('reveal neither secret nor address in any column of a copy of the database', async () => {
    const secrets: string[] = [];
    const first = await added({ url: 'https://hooks.receiver.net/a-path?key=a-key' });
    const channel = await added({ url: 'https://discord.com/api/webhooks/123456/a-channel-token' });
    const third = await added();
    for (const { secret } of [first, channel, third]) secrets.push(secret);
    secrets.push((await rotate(database.database, sealer, first.row, 86_400, now))!);
    await revoke(database.database, third.id, now);
    await announceEvents(database.database, now);
    const dump = await everything();
    for (const secret of secrets)
      for (const form of [
        secret,
        Buffer.from(secret, 'hex').toString('latin1'),
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(4, -4),
      ])
        expect(dump.includes(form)).to.equal(false);
    for (const part of ['a-path', 'a-key', 'a-channel-token', '/api/webhooks/123456'])
      expect(dump.includes(part), part).to.equal(false);
    expect(dump).to.contain('hooks.receiver.net').and.to.contain('Owner@Mail.net');
  });

  /** Returns every column of every table as text, with bytes unchanged too. */
  async function everything(): Promise<string> {
    const tables: { name: string }[] = await database
      .owner('pg_tables')
      .where('schemaname', 'public')
      .select('tablename as name');
    const parts: string[] = [];
    for (const { name } of tables)
      for (const row of await database.owner(name).select('*'))
        for (const value of Object.values(row))
          parts.push(
            Buffer.isBuffer(value)
              ? `${value.toString('latin1')}\n${value.toString('hex')}`
              : typeof value === 'string'
                ? value
                : JSON.stringify(value),
          );
    expect(tables.length).to.be.greaterThan(20);
    return parts.join('\n');
  }
});
