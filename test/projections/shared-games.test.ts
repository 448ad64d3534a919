import { expect } from 'chai';
import { oneOf, type Random, randomOf, whole } from '../../src/demo/random.ts';
import type { Database } from '../../src/platform/database.ts';
import { sharedGamesOf } from '../../src/projections/shared-games.ts';
import { type ComparedPick, sharedGames } from '../../src/rules/head-to-head.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { richLog } from '../support/rich-log.ts';

const uuidOf = (random: Random) => {
  const digits = (length: number) => Array.from({ length }, () => whole(random, 0, 15).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
};

type Pick = ComparedPick & { capperId: number };

/** Of all pairs of cappers, from the picks that boards show. */
async function plainly(database: Database): Promise<Map<string, object>> {
  const picks: Pick[] = await database('board_picks').select({
    capperId: 'capper_id',
    gameId: 'game_id',
    market: 'market',
    side: 'side',
    postedAt: 'posted_at',
    pickUuid: 'uuid',
  });
  const of = (id: number) => picks.filter(({ capperId }) => capperId === id);
  return overPairs(database, async (left, right) => sharedGames(of(left), of(right)));
}

const found = (database: Database) =>
  overPairs(database, (left, right) => sharedGamesOf(database, left, right));

async function overPairs<T>(
  database: Database,
  what: (left: number, right: number) => Promise<T>,
): Promise<Map<string, T>> {
  const ids: number[] = await database('cappers').orderBy('id').pluck('id');
  const all = new Map<string, T>();
  for (const left of ids) for (const right of ids) all.set(`${left} and ${right}`, await what(left, right));
  return all;
}

describe('games that two cappers share', function () {
  this.timeout(60_000);
  const folder = withFolder();
  const stores = withDatabase();

  before(() => richLog(stores.database, folder));

  it('are those that all picks on the boards give', async () => {
    const shared = await found(stores.owner);
    expect(shared).to.deep.equal(await plainly(stores.owner));
    const met = [...shared].filter(([pair]) => !/^(\d+) and \1$/.test(pair)).map(([, each]) => each);
    expect(met.some(({ agreed }) => agreed > 0) && met.some(({ opposed }) => opposed > 0)).to.equal(true);
  });

  it('are those where the latest of several picks of a capper stands', async () => {
    const transaction = await stores.owner.transaction();
    try {
      const random = randomOf('shared games');
      const some = <T>(values: readonly T[]) => oneOf(random, values);
      const cappers: number[] = await transaction('cappers').orderBy('id').pluck('id');
      await transaction.raw('alter table picks disable trigger all');
      for (let number = 0; number < 300; number += 1) {
        const market = some(['spread', 'total', 'moneyline']);
        const pick = {
          ...{
            uuid: uuidOf(random),
            capper_id: some(cappers),
            tier: 'listed',
            game_id: some([9001, 9002, 9003]),
            market,
          },
          ...{
            side: some(market === 'total' ? ['over', 'under'] : ['home', 'away']),
            pick: 'one side',
            odds_american: -110,
          },
          ...{ stake_e4: 10_000, source: 'test', provenance: 'imported' },
          posted_at: new Date(Date.parse('2026-01-10T17:00:00Z') + 1000 * whole(random, 0, 20)),
        };
        const [{ id }] = await transaction('picks').insert(pick).returning('id');
        await transaction('board_picks').insert({ ...pick, pick_id: id, sport: 'nba' });
      }
      expect(await found(transaction)).to.deep.equal(await plainly(transaction));
    } finally {
      await transaction.rollback();
    }
  });

  for (const [state, sql] of Object.entries({
    'waits to be sealed': `insert into unsealed_events (kind, subject_id) select 'posted', pick_id from gone`,
    'is set aside': `insert into events_set_aside (id, kind, subject_id, reason) select pick_id, 'posted', pick_id, 'a reason' from gone`,
    'waits to be read': `update reader_cursors set next_seq = (
      select min(seq) from ledger_entries where kind = 'posted' and pick_id in (select pick_id from gone)) where reader = 'boards'`,
  }))
    it(`leave out a pick that ${state}`, async () => {
      const transaction = await stores.owner.transaction();
      try {
        await transaction.raw(
          `create temporary table gone on commit drop as select pick_id from board_picks where pick_id % 3 = 0`,
        );
        await transaction.raw('delete from board_picks where pick_id in (select pick_id from gone)');
        await transaction.raw(sql);
        const shared = await found(transaction);
        expect(shared).to.deep.equal(await plainly(transaction));
        expect(shared).not.to.deep.equal(await plainly(stores.owner));
      } finally {
        await transaction.rollback();
      }
    });
});
