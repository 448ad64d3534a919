import { expect } from 'chai';
import fc from 'fast-check';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { importPicks } from '../../src/ledger/posting/import-picks.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { type Post, type Posted, postPicks } from '../../src/ledger/posting/post-picks.ts';
import type { Transaction } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { until } from '../support/until.ts';

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

/** Valid rows and every kind of invalid one. */
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

/** Returns a pick with its own subject, which repeats no other pick. */
const about = (subject: string) => ({ ...base, market: 'question', subject });

const without = (posted: Posted) => {
  if (posted.outcome === 'refused')
    return posted.repeats === undefined ? posted : { ...posted, reason: 'repeats', repeats: 'a pick' };
  const { pickId: _id, pickUuid: _uuid, body: _body, ...rest } = posted;
  return rest;
};

describe('picks posted in one batch', () => {
  const together = withDatabase();
  const apart = withDatabase();
  const post = (posts: readonly Post[]) => postPicks(together.database, posts, now);
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

  it('have the same outcomes as one by one, including refusals and keys', async () => {
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
          const keyed: Post[] = batch.map(({ row, key }) => ({
            row:
              row.market === 'moneyline' && row.side !== 'over'
                ? { ...row, market: 'question', subject: `Run ${run} ${key ?? 'without a key'}` }
                : row,
            key: key && `${run} ${key}`,
          }));
          const outcomes = (await post(keyed)).map(without);
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

  /** Makes the database refuse picks with the text `refused` during the work. */
  async function whileRefusing(work: () => Promise<void>): Promise<void> {
    await together.owner.raw(`
      create function refuse_some() returns trigger language plpgsql as $$ begin
        if new.pick = 'refused' then raise exception 'this cannot be' using errcode = 'PP001'; end if;
        return new;
      end $$;
      create trigger refuse_some before insert on picks for each row execute function refuse_some();`);
    try {
      await work();
    } finally {
      await together.owner.raw('drop function refuse_some() cascade');
    }
  }

  it('are stored except for those that the database refuses', async () => {
    await whileRefusing(async () => {
      const named = ['one', 'refused', 'two', 'refused', 'three'].map((pick, index) => ({
        row: { ...about(`Pick ${index}`), pick },
      }));
      const outcomes = (await post(named)).map((each) =>
        each.outcome === 'refused' ? each.reason : each.outcome,
      );
      expect(outcomes).to.deep.equal(['added', 'this cannot be', 'added', 'this cannot be', 'added']);
      expect(
        await together.database('picks').whereIn('pick', ['one', 'two', 'three', 'refused']).pluck('pick'),
      ).to.deep.equal(['one', 'two', 'three']);
    });
  });

  it('are stored once each when imported together', async () => {
    const imported = (pick: string, changes: object = {}) => ({
      ...base,
      pick,
      postedAt: new Date(now - hour).toISOString(),
      ...changes,
    });
    const rows = [
      imported('four'),
      imported('refused'),
      imported('four'),
      imported('five', { side: 'over' }),
      imported('six', { postedAt: new Date(now + 1).toISOString() }),
      imported('seven'),
      imported('refused'),
    ];
    const outcomes = async () =>
      (await importPicks(together.database, rows, { now, imported: true })).map((each) =>
        'reason' in each ? each.reason : each.outcome,
      );
    const side = 'a moneyline in nfl has the sides home, away, not over';
    const later = 'posted after 2026-01-10T17:00:00.000Z';
    await whileRefusing(async () => {
      expect(await outcomes()).to.deep.equal([
        ...['added', 'this cannot be', 'unchanged', side, later, 'added', 'this cannot be'],
      ]);
    });
    expect(await outcomes()).to.deep.equal([
      ...['unchanged', 'added', 'unchanged', side, later, 'unchanged', 'unchanged'],
    ]);
  });

  it('are checked again if their game or capper changes during posting', async () => {
    const { database, owner } = together;
    const intake = { now: now - 2 * hour, imported: false };
    await applyCappers(database, [{ handle: 'cyd', tier: 'elite', verified: true }], intake);
    const game = { sport: 'nfl', game: 'Owls @ Jays', startsAt: soon, status: 'scheduled' as const };
    await database.transaction((transaction) => applyGames(transaction, [game], intake));
    const row = (key: string) => ({ ...about(key), capperHandle: 'cyd', game: 'Owls @ Jays' });
    /** Posts while a transaction changes something that the pick is checked against, and commits once the pick waits for it. */
    async function meanwhile(key: string, change: (transaction: Transaction) => Promise<unknown>) {
      const other = await owner.transaction();
      await other.raw(`select set_config('public_picks.now', ?, true)`, [new Date(now).toISOString()]);
      await change(other);
      const posting = post([{ row: row(key), key }]);
      await waiting();
      await other.commit();
      const [posted] = await posting;
      return posted!.outcome === 'refused'
        ? posted!.reason
        : { outcome: posted!.outcome, tier: posted!.body.tier, start: posted!.body.starts_at };
    }
    const later = new Date(now + 2 * hour).toISOString();
    const games = (to: Transaction) => to('games').where({ name: 'Owls @ Jays' });
    expect(await meanwhile('moved', (to) => games(to).update({ starts_at: later }))).to.deep.equal({
      outcome: 'added',
      tier: 'elite',
      start: later,
    });
    const tier = (to: Transaction) =>
      Promise.all([
        games(to).update({ starts_at: soon }),
        to('cappers').where({ handle: 'cyd' }).update({ tier: 'listed' }),
      ]);
    expect(await meanwhile('of another tier', tier)).to.deep.equal({
      outcome: 'added',
      tier: 'listed',
      start: soon,
    });
    const over = { status: 'cancelled', final_at: new Date(now) };
    expect(await meanwhile('over', (to) => games(to).update(over))).to.equal('the game is cancelled');
  });

  it('are checked again if the database refuses them, and refused if it always does', async () => {
    await together.owner.raw(`
      create sequence asked minvalue -10;
      grant usage on asked to public;
      create function refuse_at_first() returns trigger language plpgsql as $$ begin
        if nextval('asked') <= 0 then raise exception 'not yet' using errcode = 'PP001'; end if;
        return new;
      end $$;
      create trigger refuse_at_first before insert on picks for each row execute function refuse_at_first();`);
    try {
      const outcomeAfter = async (refusals: number, key: string) => {
        await together.owner.raw(`select setval('asked', ?)`, [-refusals]);
        const [posted] = await post([{ row: about(key), key }]);
        return posted!.outcome === 'refused' ? posted!.reason : posted!.outcome;
      };
      expect(await outcomeAfter(3, 'refused at first')).to.equal('added');
      expect(await outcomeAfter(0, 'refused at first')).to.equal('unchanged');
      expect(await outcomeAfter(9, 'always refused')).to.equal('not yet');
      expect(await outcomeAfter(0, 'always refused')).to.equal('added');
    } finally {
      await together.owner.raw('drop function refuse_at_first() cascade; drop sequence asked');
    }
  });

  it('are posted once when batches with the same keys overlap, in any order of keys', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `crossed ${index}`);
    const posts = (order: string[]) => order.map((key) => ({ row: { ...about(key), pick: key }, key }));
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post(posts(n % 2 === 0 ? keys : keys.toReversed()))),
    );
    const uuids = all.flat().map((each) => (each.outcome === 'refused' ? each.reason : each.pickUuid));
    expect(new Set(uuids).size).to.equal(30);
    expect((await together.database('picks').whereIn('pick', keys).count({ n: '*' }))[0]).to.deep.equal({
      n: 30,
    });
  });

  it('are not acknowledged if the connection is lost before the commit', async () => {
    const before = await together.owner('picks').count({ n: '*' });
    const holder = await together.owner.transaction();
    await holder.raw('lock table picks in share mode');
    const posting = post([{ row: about('Lost') }, { row: about('Lost too') }]).catch((error: Error) => error);
    try {
      await until(async () => {
        const { rows } = await together.owner.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ilike 'insert into picks%'`,
        );
        return rows.length > 0;
      });
    } finally {
      await holder.rollback();
    }
    expect(await posting).to.be.instanceOf(Error);
    expect(await together.owner('picks').count({ n: '*' })).to.deep.equal(before);
  });

  /** Waits until a transaction waits for another one. */
  async function waiting(): Promise<void> {
    await until(async () => {
      const { rows } = await together.owner.raw(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
  }
});
