import { expect } from 'chai';
import { sealAll } from '../../src/ledger/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { auditProjections } from '../../src/projections/audit.ts';
import { extendCapperGames } from '../../src/projections/capper-games.ts';
import { sharedGamesOf } from '../../src/projections/shared-games.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { type ComparedPick, sharedGames } from '../../src/rules/head-to-head.ts';
import { crowdedGames } from '../support/crowded-games.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { richLog } from '../support/rich-log.ts';
import { ingest } from '../support/whole-way.ts';

type Pick = ComparedPick & { capperId: number };

/** Of all pairs of cappers, from the picks that boards show. */
async function plainly(database: Database): Promise<Map<string, object>> {
  const picks: Pick[] = await database('board_picks').select({
    capperId: 'capper_id',
    gameId: 'game_id',
    market: 'market',
    subject: 'subject',
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

describe('games that two cappers share', () => {
  const folder = withFolder();
  const stores = withDatabase();

  before(() => richLog(stores.database, folder));

  it('are those that all picks on the boards give', async () => {
    const shared = await found(stores.owner);
    expect(shared).to.deep.equal(await plainly(stores.owner));
    const met = [...shared].filter(([pair]) => !/^(\d+) and \1$/.test(pair)).map(([, each]) => each);
    expect(met.some(({ agreed }) => agreed > 0) && met.some(({ opposed }) => opposed > 0)).to.equal(true);
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

describe('games that cappers with many picks share', () => {
  const folder = withFolder();
  const stores = withDatabase();
  const now = Date.parse('2025-01-01T00:00:00Z');

  /** Takes in, seals and reads some picks for each of three cappers. */
  async function take(picks: number): Promise<void> {
    const files = Object.entries(crowdedGames(3, 40, picks)).map(([kind, rows]) =>
      folder.write(`${kind}.ndjson`, rows),
    );
    const { refusals } = await ingest(stores.database, files, now);
    expect(refusals).to.deep.equal([]);
    await sealAll(stores.database);
    await updateProjections(stores.database);
  }

  const blocks = async () => (await stores.owner('capper_games').select('block')).length;

  async function expectAsPlainly(): Promise<void> {
    expect(await found(stores.owner)).to.deep.equal(await plainly(stores.owner));
  }

  it('are those that all picks on the boards give, however many blocks of them are full', async () => {
    for (const [picks, full] of [
      [200, 0],
      [255, 3],
      [313, 9],
      [257, 12],
    ] as const) {
      await take(picks);
      expect(await blocks()).to.equal(full);
      await expectAsPlainly();
    }
    for await (const { message } of auditProjections(stores.owner)) expect.fail(message);
  });

  it('are the same without any block', async () => {
    const transaction = await stores.owner.transaction();
    try {
      await transaction('capper_games').delete();
      expect(await found(transaction)).to.deep.equal(await plainly(transaction));
    } finally {
      await transaction.rollback();
    }
  });
});

describe('games that cappers with many picks share, far apart', () => {
  const folder = withFolder();
  const stores = withDatabase();

  it('are the same, also with hundreds of sides', async () => {
    const files = Object.entries(crowdedGames(2, 40, 300)).map(([kind, rows]) =>
      folder.write(`${kind}.ndjson`, rows),
    );
    await ingest(stores.database, files, Date.parse('2025-01-01T00:00:00Z'));
    await sealAll(stores.database);
    await updateProjections(stores.database);
    await stores.owner.raw(
      `update board_picks set game_id = 1 + 100 * (game_id / 2), market = 'first-scorer',
         subject = 'Player ' || pick_id % 75, side = case pick_id % 2 when 0 then 'yes' else 'no' end`,
    );
    await stores.owner('capper_games').delete();
    const shared = await found(stores.owner);
    expect(shared).to.deep.equal(await plainly(stores.owner));
    expect(shared.get('1 and 2')!.opposed).to.be.above(0);
    await stores.owner.transaction((transaction) => extendCapperGames(transaction, 0, 1_000));
    expect(await stores.owner('capper_games').pluck('block')).to.have.length(2);
    expect(await found(stores.owner)).to.deep.equal(shared);
  });
});

describe('games that cappers with many picks share, posted one after the other', () => {
  const folder = withFolder();
  const stores = withDatabase();

  it('come from the rows alone, and are those that all picks on the boards give', async () => {
    const files = Object.entries(crowdedGames(3, 120, 700, 'rising')).map(([kind, rows]) =>
      folder.write(`${kind}.ndjson`, rows),
    );
    expect((await ingest(stores.database, files, Date.parse('2025-01-01T00:00:00Z'))).refusals).to.deep.equal(
      [],
    );
    await sealAll(stores.database);
    await updateProjections(stores.database);
    expect(await stores.owner('capper_games').pluck('block')).to.have.length(6);
    const expected = await plainly(stores.owner);
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    stores.owner.on('query', note);
    const shared = await found(stores.owner);
    stores.owner.off('query', note);
    expect(shared).to.deep.equal(expected);
    expect(statements.filter((sql) => sql.includes('capper_games'))).to.have.length(9);
    expect(statements).to.have.length(10);
  });
});
