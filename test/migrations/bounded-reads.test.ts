import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';

describe('the migration of bounded reads', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260302000000_bounded_reads');

  it('counts and dates the picks that are stored', async () => {
    const { owner } = older;
    const pick = {
      ...{ tier: 'listed', sport: 'nfl', game_id: 1, market: 'spread', side: 'home', pick: 'Foxes -3.5' },
      ...{ odds_american: -110, stake_e4: 10_000, source: 'test', provenance: 'live', capper_id: 1 },
    };
    const day = (number: number) => `2026-01-0${number}T17:00:00Z`;
    const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
    const closed = { closed_at: day(3), closing_odds: -120, clv_bps: 208, same_line: true };
    await owner('board_picks').insert([
      { ...pick, ...closed, pick_id: 1, uuid: uuid(1), posted_at: day(2) },
      {
        ...pick,
        ...closed,
        pick_id: 1000,
        uuid: uuid(2),
        posted_at: day(1),
        result: 'win',
        settled_at: day(4),
      },
      { ...pick, ...closed, pick_id: 1001, uuid: uuid(3), posted_at: day(1), same_line: false },
      { ...pick, ...closed, pick_id: 2001, uuid: uuid(5), posted_at: day(1), clv_bps: 209 },
      { ...pick, ...closed, pick_id: 2002, uuid: uuid(6), posted_at: day(1), clv_bps: -1 },
      { ...pick, pick_id: 1002, uuid: uuid(4), posted_at: day(5), capper_id: 2 },
    ]);
    await older.migrate();
    const at = (number: number) => Date.parse(day(number));
    const counts = (picks: Record<number, number>) =>
      Array.from({ length: 16 }, (_, place) => picks[place] ?? 0);
    expect(await owner('pick_blocks').orderBy('block')).to.deep.equal([
      { block: 0, last_posted_at: at(2), changed_at: at(4) },
      { block: 1, last_posted_at: at(5), changed_at: at(5) },
      { block: 2, last_posted_at: at(1), changed_at: at(3) },
    ]);
    expect(await owner('capper_changes').orderBy('capper_id')).to.deep.equal([
      { capper_id: 1, changed_at: at(4) },
      { capper_id: 2, changed_at: at(5) },
    ]);
    expect(await owner('capper_clv_counts').orderBy('from_bps')).to.deep.equal([
      { capper_id: 1, sport: 'nfl', from_bps: -16, picks: counts({ 15: 1 }) },
      { capper_id: 1, sport: 'nfl', from_bps: 208, picks: counts({ 0: 2, 1: 1 }) },
    ]);
  });
});
