import { expect } from 'chai';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { settlementOf } from '../naive/grading.ts';
import { startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const start = Date.parse('2024-10-06T17:00:00Z');
const hour = 3_600_000;
const startsAt = new Date(start).toISOString();
const open = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt };
const scored = { sport: 'nfl', game: 'Iron Rays @ Tin Otters', startsAt };
const bet = { market: 'moneyline', side: 'home', oddsAmerican: -110, stakeUnits: 1 };
const pick = { capperHandle: 'ada', ...bet, postedAt: '2024-10-06T12:00:00Z' };

describe('the result that an imported pick came with', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const picks = [
    { ...pick, ...open, pick: 'claimed', result: 'win' },
    { ...pick, ...open, pick: 'no claim' },
    { ...pick, ...open, side: 'away', pick: 'half', market: 'spread', line: 0.25, result: 'win', half: true },
    { ...pick, ...scored, pick: 'scored', result: 'win' },
  ];

  before(async () => {
    folder.write('cappers.ndjson', [{ handle: 'ada', tier: 'listed', verified: true }]);
    folder.write('games.ndjson', [open, { ...scored, status: 'final', homeScore: 1, awayScore: 2 }]);
    await ingest(stores.database, folder.path(), start - 6 * hour);
    await postPick(
      stores.database,
      { ...bet, ...open, capperHandle: 'ada', pick: 'live' },
      undefined,
      start - hour,
    );
    folder.write('picks.ndjson', picks);
    const { refusals } = await ingest(stores.database, folder.path(), start + 24 * hour);
    expect(refusals).to.deep.equal([]);
    await runPipeline(stores.database, start + 24 * hour);
  });

  const settled = () =>
    stores
      .database('settlements as s')
      .join('picks as p', 'p.id', 's.pick_id')
      .orderBy('p.pick')
      .select('p.pick', 's.result', 's.half', 's.grader', 's.settled_at', 's.net_units_e4');

  it('settles its own pick only, three hours after the start, and no live pick', async () => {
    const rows = (await settled()).map((row) => [
      row.pick,
      row.result,
      row.half,
      row.grader,
      Number(row.settled_at),
      Number(row.net_units_e4),
    ]);
    expect(rows).to.deep.equal([
      ['claimed', 'win', false, 'claim', start + 3 * hour, 9091],
      ['half', 'win', true, 'claim', start + 3 * hour, 4545],
      ['scored', 'loss', false, 'score', start + 3 * hour, -10_000],
    ]);
  });

  it('is shown apart from results that a score confirms', async () => {
    const clock = fixedClock(start + 24 * hour);
    const site = await startApi({ database: stores, redis }, { clock });
    try {
      const of = async (path: string) => (await fetch(site.address + path)).text();
      const { record, claimed } = JSON.parse(await of('/api/cappers/ada/breakdown'));
      expect([record.record, claimed.record, claimed.unitsNet]).to.deep.equal(['2-1-0', '2-0-0', 1.36]);
      expect(await of('/c/ada')).to.match(/2 results \(2–0–0, .*?\) of this record are claimed/);
    } finally {
      await site.close();
    }
  });

  it('agrees with the oracle', () => {
    const game = { ...open, status: 'scheduled' } as const;
    const said = settlementOf({ sport: 'nfl', ...bet, lineE3: null }, game, start, start, undefined, [], {
      result: 'win',
      half: false,
    });
    expect(said).to.include({ result: 'win', grader: 'claim', settledAt: start + 3 * hour });
  });

  it('is audited, and its pick is the same with and without it', async () => {
    await ingest(stores.database, folder.path(), start + 25 * hour);
    await runPipeline(stores.database, start + 25 * hour);
    expect(await settled()).to.have.length(3);
    expect(await stores.database('picks').where({ provenance: 'imported' })).to.have.length(4);
    const findings: string[] = [];
    for await (const { message } of auditPicks(stores.database, () => {})) findings.push(message);
    expect(findings).to.deep.equal([]);
  });
});
