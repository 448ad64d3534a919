import { expect } from 'chai';
import fc from 'fast-check';
import { applyCappers } from '../../src/cappers/cappers.ts';
import { applyGames } from '../../src/games/apply-games.ts';
import type { PickRow } from '../../src/ledger/pick-row.ts';
import { postAtOnce, postPick, postPicks } from '../../src/ledger/post-picks.ts';
import { createRecentFacts, type PostingFacts } from '../../src/ledger/posting-facts.ts';
import type { Post, Posted } from '../../src/ledger/store-picks.ts';
import { withDatabase } from '../support/database.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-10T17:00:00Z');
const soon = new Date(now + hour).toISOString();
const base: PickRow = {
  capperHandle: 'ada',
  sport: 'nfl',
  game: 'Gulls @ Foxes',
  startsAt: soon,
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes',
  oddsAmerican: -110,
  stakeUnits: 1,
};

/** Good ones and every kind of bad one. */
const rows: PickRow[] = [
  base,
  { ...base, capperHandle: 'ADA', side: 'away' },
  { ...base, startsAt: null },
  { ...base, game: 'Terns @ Crows', startsAt: null },
  { ...base, capperHandle: 'bob' },
  { ...base, capperHandle: 'nobody' },
  { ...base, game: 'Terns @ Crows', startsAt: new Date(now - hour).toISOString() },
  { ...base, game: 'No @ Game' },
  { ...base, sport: 'chess' },
  { ...base, side: 'over' },
  { ...base, market: 'spread' },
];

const without = (posted: Posted) => {
  if (posted.outcome === 'refused') return posted;
  const { pickId: _id, pickUuid: _uuid, body: _body, ...rest } = posted;
  return rest;
};

describe('picks that are posted together', function () {
  this.timeout(120_000);
  const together = withDatabase();
  const apart = withDatabase();
  let run = 0;

  before(async () => {
    for (const { database } of [together, apart]) {
      const intake = { now: now - 2 * hour, imported: false };
      await applyCappers(
        database,
        [
          { handle: 'ada', tier: 'elite', verified: true },
          { handle: 'bob', tier: 'listed', verified: false },
        ],
        intake,
      );
      const game = (name: string, at: number) => ({
        sport: 'nfl',
        game: name,
        startsAt: new Date(at).toISOString(),
      });
      await database.transaction((transaction) =>
        applyGames(
          transaction,
          [
            { ...game('Gulls @ Foxes', now + hour), status: 'scheduled' },
            { ...game('Terns @ Crows', now - hour), status: 'scheduled' },
            { ...game('Terns @ Crows', now + hour), status: 'scheduled' },
          ],
          intake,
        ),
      );
    }
  });

  it('have the outcomes that they have one by one, refusals and keys included', async () => {
    const posts = fc.array(
      fc.record({
        row: fc.constantFrom(...rows),
        key: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(posts, posts, async (first, second) => {
        run += 1;
        for (const batch of [first, second]) {
          const keyed: Post[] = batch.map(({ row, key }) => ({ row, key: key && `${run} ${key}` }));
          const settled = await postPicks(together.database, keyed, now);
          const outcomes = settled.map((each) => {
            if (each.status === 'rejected') throw each.reason;
            return without(each.value);
          });
          const one: object[] = [];
          for (const { row, key } of keyed) one.push(without(await postPick(apart.database, row, key, now)));
          expect(outcomes).to.deep.equal(one);
        }
        const counted = (database: typeof together) =>
          database.owner.raw(
            `select (select count(*)::int from picks) as picks, (select count(*)::int from pick_requests) as keys,
               (select count(*)::int from unsealed_events) as events`,
          );
        expect((await counted(together)).rows).to.deep.equal((await counted(apart)).rows);
      }),
      { numRuns: 40 },
    );
  });

  it('are stored but for the ones that the database refuses', async () => {
    await together.owner.raw(`
      create function refuse_some() returns trigger language plpgsql as $$ begin
        if new.pick = 'refused' then raise exception 'this cannot be' using errcode = 'PP001'; end if;
        return new;
      end $$;
      create trigger refuse_some before insert on picks for each row execute function refuse_some();`);
    try {
      const named = ['one', 'refused', 'two', 'refused', 'three'].map((pick) => ({ row: { ...base, pick } }));
      const settled = await postPicks(together.database, named, now);
      expect(settled.map(({ status }) => status)).to.deep.equal([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(
        await together.database('picks').whereIn('pick', ['one', 'two', 'three', 'refused']).pluck('pick'),
      ).to.deep.equal(['one', 'two', 'three']);
    } finally {
      await together.owner.raw('drop function refuse_some() cascade');
    }
  });

  it('are judged by present facts where recalled ones are outdated', async () => {
    const { database, owner } = together;
    const intake = { now: now - 2 * hour, imported: false };
    await applyCappers(database, [{ handle: 'cyd', tier: 'elite', verified: true }], intake);
    const game = { sport: 'nfl', game: 'Owls @ Jays', startsAt: soon, status: 'scheduled' as const };
    await database.transaction((transaction) => applyGames(transaction, [game], intake));
    const recent = createRecentFacts();
    let looked = 0;
    const counted = { ...recent, note: (facts: PostingFacts) => [looked++, recent.note(facts)] };
    const row = { ...base, capperHandle: 'cyd', game: 'Owls @ Jays' };
    const post = async (key: string) => {
      const [posted] = (await postAtOnce(database, [{ row, key }], now, () => [], counted))!;
      return posted?.outcome === 'refused'
        ? posted.reason
        : { outcome: posted?.outcome, tier: posted?.body.tier, start: posted?.body.starts_at };
    };
    const added = { outcome: 'added', tier: 'elite', start: soon };
    expect(await post('judged 1')).to.deep.equal(added);
    expect(await post('judged 2')).to.deep.equal(added);
    expect(looked).to.equal(1);
    expect(await post('judged 1')).to.deep.equal({ ...added, outcome: 'unchanged' });
    await owner('cappers').where({ handle: 'cyd' }).update({ tier: 'listed' });
    expect(await post('judged 3')).to.deep.equal({ ...added, tier: 'listed' });
    await owner('cappers').where({ handle: 'cyd' }).update({ verified: false });
    expect(await post('judged 4')).to.equal('the capper cyd is not verified');
    await owner('cappers').where({ handle: 'cyd' }).update({ verified: true });
    expect(await post('judged 4')).to.deep.equal({ ...added, tier: 'listed' });
    const later = new Date(now + 2 * hour);
    await owner('games').where({ name: 'Owls @ Jays' }).update({ starts_at: later });
    expect(await post('judged 5')).to.deep.equal({ ...added, tier: 'listed', start: later.toISOString() });
    await owner('games')
      .where({ name: 'Owls @ Jays' })
      .update({ status: 'cancelled', final_at: new Date(now) });
    expect(await post('judged 6')).to.equal('the game is cancelled');
  });

  it('are posted once when requests with the same keys cross, in whatever order they name them', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `crossed ${index}`);
    const posts = (order: string[]) => order.map((key) => ({ row: { ...base, pick: key }, key }));
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        postPicks(together.database, posts(n % 2 === 0 ? keys : keys.toReversed()), now),
      ),
    );
    const uuids = all.flat().map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value.outcome === 'refused' ? each.value.reason : each.value.pickUuid;
    });
    expect(new Set(uuids).size).to.equal(30);
    expect((await together.database('picks').whereIn('pick', keys).count({ n: '*' }))[0]).to.deep.equal({
      n: 30,
    });
  });

  it('are acknowledged by none of them when the connection is lost before the commit', async () => {
    const before = await together.owner('picks').count({ n: '*' });
    const holder = await together.owner.transaction();
    await holder.raw('lock table picks in access exclusive mode');
    const posting = postPicks(together.database, [{ row: base }, { row: base }], now);
    try {
      for (;;) {
        const { rows } = await together.owner.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ilike '%store_live_picks%'`,
        );
        if (rows.length > 0) break;
      }
    } finally {
      await holder.rollback();
    }
    expect((await posting).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await together.owner('picks').count({ n: '*' })).to.deep.equal(before);
  });
});
