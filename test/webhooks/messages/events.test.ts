import { expect } from 'chai';
import { openDatabase } from '../../../src/platform/database.ts';
import { fanoutHealth } from '../../../src/webhooks/delivery/cycle.ts';
import { announceEvents, readEvents } from '../../../src/webhooks/messages/events.ts';
import { everything, type Filter, filterFor } from '../../../src/webhooks/subscriptions/filters.ts';
import { nextTown, post, type Stage, settle, stage } from '../../support/announcements.ts';
import { asLogin, withDatabase } from '../../support/database.ts';
import { league } from '../../support/folders.ts';
import { ingest, runPipeline } from '../../support/whole-way.ts';

const now = Date.parse('2029-06-01T12:00:00Z');

describe("the fanout's reader of the log", () => {
  const stores = withDatabase();
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada', 'bo'], ['nba', 'nfl']);
  });

  const filter = (capper: string | null, sport: string | null, further: Partial<Filter> = {}) =>
    stores.database.transaction((transaction) =>
      filterFor(transaction, {
        ...everything,
        capperId: capper === null ? null : world.cappers.get(capper)!,
        sport,
        ...further,
      }),
    );
  const headOf = async (id: number) =>
    (await stores.database('webhook_filters').where({ id }).first('head_seq')).head_seq as number;

  const lastOf = async (table: string): Promise<number> =>
    (await stores.database(table).max({ head: 'seq' }))[0]?.head;

  /** Reads all events under the worker's login. */
  async function readAll() {
    const database = openDatabase(asLogin(stores.ownerUrl, 'webhooks'));
    try {
      return await readEvents(database, {
        filter: everything,
        fromSeq: 0,
        toSeq: 1e6,
        limit: 50,
      });
    } finally {
      await database.destroy();
    }
  }

  it('records posted and settled live picks, and nothing of an imported season', async () => {
    await ingest(stores.database, league, now);
    await runPipeline(stores.database, now);
    const [uuid] = await post(stores.database, world, [{}, { imported: true }], now);
    await settle(stores.database, [uuid!], now, -105);
    expect(await announceEvents(stores.database, now)).to.be.greaterThan(40);
    const events = await readAll();
    expect(events.map(({ uuid: of, kind, closingOdds }) => [of, kind, closingOdds])).to.deep.equal([
      [uuid, 'posted', null],
      [uuid, 'settled', -105],
    ]);
    for (const { priceVerdict, priceOdds, provisional } of events)
      expect([priceVerdict, priceOdds, provisional]).to.deep.equal(['available', -105, false]);
    expect(await announceEvents(stores.database, now)).to.equal(0);
    await post(stores.database, world, [{}], now);
    await announceEvents(stores.database, now);
    expect((await readAll()).at(-1)).to.include({ priceVerdict: 'unchecked', provisional: true });
  });

  it('advances the head of each matching filter, and of no other', async () => {
    const town = nextTown();
    const filters = {
      all: await filter(null, null),
      ada: await filter('ada', null),
      nfl: await filter(null, 'nfl'),
      boNfl: await filter('bo', 'nfl'),
      adaNfl: await filter('ada', 'nfl'),
      moneyline: await filter(null, null, { market: 'moneyline' }),
      boElitePosted: await filter('bo', null, { tier: 'elite', kind: 'posted' }),
      every: await filter('bo', 'nfl', { market: 'moneyline', tier: 'elite', kind: 'posted' }),
      spread: await filter(null, 'nfl', { market: 'spread' }),
      listed: await filter(null, null, { tier: 'listed' }),
      settled: await filter('bo', null, { kind: 'settled' }),
      away: await filter(null, null, { team: 'Away', about: ['team:elsewhere', `team:away ${town}`] }),
      homeOfAda: await filter('ada', null, { team: 'Home', about: [`team:home ${town}`] }),
      elsewhere: await filter(null, null, { team: 'Elsewhere', about: ['team:elsewhere'] }),
      player: await filter('bo', 'nfl', { player: 'Someone', about: ['player:Someone'] }),
    };
    const before = Object.fromEntries(
      await Promise.all(Object.entries(filters).map(async ([name, id]) => [name, await headOf(id)])),
    );
    await post(stores.database, world, [{ capper: 'bo', sport: 'nfl' }], now);
    await announceEvents(stores.database, now);
    const head = await lastOf('webhook_events');
    for (const [name, id] of Object.entries(filters)) {
      const matches = ['all', 'nfl', 'boNfl', 'moneyline', 'boElitePosted', 'every', 'away'].includes(name);
      expect(await headOf(id), name).to.equal(matches ? head : before[name]);
    }
  });

  it('counts each entry once with several concurrent readers', async () => {
    await post(
      stores.database,
      world,
      Array.from({ length: 30 }, () => ({})),
      now,
    );
    const counts = await Promise.all(Array.from({ length: 4 }, () => announceEvents(stores.database, now)));
    expect(counts.reduce((sum, count) => sum + count)).to.equal(30);
  });

  it('includes a filter created while it reads', async () => {
    let made: Promise<number> | undefined;
    await stores.database.transaction(async (transaction) => {
      // Simulates the reader in the middle of its transaction.
      await transaction('reader_cursors').where({ reader: 'webhooks' }).forUpdate().select('next_seq');
      made = filter('bo', 'nba');
      await post(stores.database, world, [{ capper: 'bo', sport: 'nba' }], now);
    });
    const id = await made!;
    await announceEvents(stores.database, now);
    const head = await lastOf('webhook_events');
    expect(await headOf(id)).to.equal(head);
  });

  it('reports since when an event waits', async () => {
    expect(await fanoutHealth(stores.database, now)).to.deep.equal({
      lastCycleAt: null,
      oldestUndeliveredAt: null,
      subscribed: false,
    });
    const filterId = await filter(null, 'nfl');
    const head = await lastOf('ledger_entries');
    await stores.database('webhook_subscriptions').insert({
      filter_id: filterId,
      owner_email: 'owner@example.org',
      target_url_sealed: Buffer.alloc(1),
      target_host: 'example.org',
      target_url_masked: 'https://example.org/…',
      secret_sealed: Buffer.alloc(1),
      cursor_seq: head + 1,
      created_at: new Date(now),
    });
    await post(stores.database, world, [{ sport: 'nba' }, { sport: 'nfl' }], now);
    await announceEvents(stores.database, now + 1000);
    await post(stores.database, world, [{ sport: 'nfl' }], now);
    await announceEvents(stores.database, now + 61_000);
    expect(await fanoutHealth(stores.database, now + 70_000)).to.include({
      oldestUndeliveredAt: now + 1000,
      subscribed: true,
    });
    await stores.database('webhook_subscriptions').update({ retry_at: new Date(now + 80_000) });
    expect(await fanoutHealth(stores.database, now + 70_000)).to.include({ oldestUndeliveredAt: null });
  });
});
