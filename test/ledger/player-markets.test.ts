import { expect } from 'chai';
import { applyStats } from '../../src/intake/stats.ts';

import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { recomputePicks } from '../../src/ledger/sealing/recompute/events.ts';
import type { Database } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const finalAt = '2024-12-01T03:00:00Z';
const nba = { sport: 'nba', game: 'Meadow Hawks @ River Otters', startsAt: '2024-12-01T00:30:00Z' };
const mlb = { sport: 'mlb', game: 'Hill Crows @ Lake Seals', startsAt: '2024-12-01T00:30:00Z' };
const scores = { status: 'final', homeScore: 5, awayScore: 3, finalAt };
const pick = {
  capperHandle: 'ada',
  oddsAmerican: 100,
  stakeUnits: 2,
  postedAt: '2024-11-30T10:00:00Z',
  pick: 'a bet on a player',
};

describe('picks on players', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let count = 0;

  const settled = async (words: string) =>
    stores
      .database('settlements as s')
      .join('picks as p', 'p.id', 's.pick_id')
      .where('p.pick', words)
      .first(
        's.result',
        's.half',
        's.grader',
        's.stat_name',
        's.stat_value_e3',
        's.net_units_e4',
        's.played',
        's.settled_at',
      );
  const faults = async (database: Database = stores.database) => {
    const found: string[] = [];
    for await (const some of recomputePicks(database))
      for (const { posted, closed, settled: late } of some)
        found.push(...[...posted, ...closed, ...late].map(({ message }) => message));
    return found;
  };
  async function give(files: Record<string, object[]>): Promise<void> {
    const paths = Object.entries(files).map(([kind, rows]) =>
      folder.write(`${++count}-${kind}.ndjson`, rows),
    );
    const { refusals } = await ingest(stores.database, paths, now);
    expect(refusals).to.deep.equal([]);
    await runPipeline(stores.database, now);
  }
  const bet = (words: string, of: object) => ({ ...pick, ...nba, line: null, pick: words, ...of });

  before(() =>
    give({
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games: [
        { ...nba, ...scores },
        { ...mlb, ...scores, played: 'shortened', periods: 6 },
      ],
      lines: [
        ...['over', 'under'].map((side) => ({
          ...nba,
          market: 'player_points',
          subject: 'ADA COLE',
          side,
          line: 20.5,
          oddsAmerican: -110,
          book: 'north',
          capturedAt: '2024-12-01T00:00:00Z',
        })),
        {
          ...nba,
          market: 'player_double_double',
          subject: 'Bea Ray',
          side: 'yes',
          oddsAmerican: 300,
          book: 'north',
          capturedAt: '2024-12-01T00:00:00Z',
        },
      ],
      picks: [
        bet('points', { market: 'player_points', subject: 'Ada Côle', side: 'over', line: 20.5 }),
        bet('other points', { market: 'player_points', subject: 'Bea Ray', side: 'over', line: 20.5 }),
        bet('quarter', { market: 'player_rebounds', subject: 'Ada Cole Jr.', side: 'under', line: 7.25 }),
        bet('double', { market: 'player_double_double', subject: 'Bea Ray', side: 'yes' }),
        bet('absent', { market: 'player_points', subject: 'Cleo Day', side: 'under', line: 4.5 }),
        bet('waiting', { market: 'player_blocks', subject: 'Ada Cole', side: 'over', line: 0.5 }),
        bet('reached', { ...mlb, market: 'batter_hits', subject: 'Dot Fay', side: 'over', line: 1.5 }),
        bet('open', { ...mlb, market: 'batter_hits', subject: 'Dot Fay', side: 'over', line: 2.5 }),
      ],
      stats: [
        { ...nba, player: 'Ada Cole', minutes: 30, points: 24, rebounds: 7 },
        {
          ...nba,
          player: 'Bea Ray',
          minutes: 28,
          points: 12,
          rebounds: 11,
          assists: 1,
          steals: 0,
          blocks: 0,
        },
        { ...nba, player: 'Cleo Day', played: false },
        { ...mlb, player: 'Dot Fay', plateAppearances: 3, hits: 2 },
      ],
    }),
  );

  it('are graded from the statistics of their player, whatever the spelling', async () => {
    expect(await settled('points')).to.deep.equal({
      result: 'win',
      half: false,
      grader: 'stat',
      stat_name: 'points',
      stat_value_e3: 24_000,
      net_units_e4: 20_000,
      played: null,
      settled_at: Date.parse(finalAt),
    });
    expect(await settled('other points')).to.include({ result: 'loss', stat_value_e3: 12_000 });
    expect(await settled('quarter')).to.include({ result: 'win', half: true, net_units_e4: 10_000 });
    expect(await settled('double')).to.include({
      result: 'win',
      stat_name: 'double_digits',
      stat_value_e3: 2000,
    });
  });

  it('are void if the player did not play, and wait while a statistic is missing', async () => {
    expect(await settled('absent')).to.include({ result: 'void', grader: 'stat', stat_name: null });
    expect(await settled('waiting')).to.equal(undefined);
  });

  it('count in a shortened game if they were decided, and are void otherwise', async () => {
    expect(await settled('reached')).to.include({ result: 'win', played: 'shortened' });
    expect(await settled('open')).to.include({ result: 'void', played: 'shortened', stat_value_e3: 2000 });
  });

  it('close at the prices of their player, without an edge if only one side is priced', async () => {
    const closings = await stores
      .database('board_picks as b')
      .join('closings as c', 'c.pick_id', 'b.pick_id')
      .join('picks as p', 'p.id', 'b.pick_id')
      .orderBy('p.id')
      .select('p.pick', 'c.odds_american', 'b.edge_bps');
    expect(closings.map((row) => [row.pick, row.odds_american, row.edge_bps === null])).to.deep.equal([
      ['points', -110, false],
      ['double', 300, true],
    ]);
  });

  it('are recomputed by sealing and the audit, even after more statistics arrive', async () => {
    expect(await faults()).to.deep.equal([]);
    await stores.database.transaction((transaction) =>
      applyStats(transaction, [{ ...nba, player: 'Ada Cole', played: false }], { now, imported: true }),
    );
    expect(await faults()).to.deep.equal([]);
    await expectSoundLedger(stores.database);
    await stores.owner.raw(`alter table settlements disable trigger all;
      update settlements set stat_value_e3 = 23000 where stat_value_e3 = 24000; alter table settlements enable trigger all`);
    expect((await faults()).join()).to.match(/stat_value_e3.*must be 24000, by the statistics of the player/);
    await stores.owner.raw(`alter table settlements disable trigger all;
      update settlements set stat_value_e3 = 24000 where stat_value_e3 = 23000; alter table settlements enable trigger all`);
  });

  it('have a closing whenever a stored price closes them, as the audit checks', async () => {
    const transaction = await stores.owner.transaction();
    try {
      await transaction.raw('alter table closings disable trigger all');
      await transaction('closings').delete();
      const found = await faults(transaction);
      expect(found).to.have.length(2);
      for (const each of found)
        expect(each).to.match(/^closings, pick .+: it is missing: a price captured at .+ closes the pick$/);
    } finally {
      await transaction.rollback();
    }
  });

  it('are graded when a missing statistic arrives', async () => {
    await applyStats(stores.database, [{ ...nba, player: 'Ada Cole', blocks: 2 }], { now, imported: false });
    await gradeDue(stores.database, now);
    expect(await settled('waiting')).to.include({ result: 'win', stat_name: 'blocks', settled_at: now });
  });
});
