import { expect } from 'chai';
import { leaderboard } from './boards-leaderboards.ts';
import { recordWindows } from './boards-picks.ts';
import { ledgerOfExport } from './from-export.ts';
import { streakOf } from './record.ts';

const now = Date.parse('2021-01-20T12:00:00Z');

/** Returns a row of the export, by default one winning unit on the home side at even money. */
const row = (id: number, cells: Record<string, string> = {}): Record<string, string> => ({
  id: String(id),
  sport: 'nfl',
  game: 'Otters @ Herons',
  market: 'spread',
  pick: 'Herons -3',
  odds_american: '100',
  closing_odds_american: '-105',
  clv_bps: '244',
  stake_units: '1',
  result: 'win',
  posted_at: `2021-01-1${id}T12:00:00.000Z`,
  graded_at: `2021-01-1${id}T20:00:00.000Z`,
  permalink: '',
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
  capper: 'ann',
  capper_tier: 'elite',
  subject: '',
  side: 'home',
  line: '-3',
  starts_at: `2021-01-1${id}T17:00:00.000Z`,
  book: 'acme',
  provenance: 'live',
  half: 'false',
  closing_line: '-3',
  edge_bps: '120',
  net_units: '1',
  price_verdict: 'available',
  author_signed: 'false',
  counted_odds: cells.odds_american ?? '100',
  counted_clv_bps: '244',
  edge_method: 'power',
  edge_source: 'provider',
  ...cells,
});

describe('the naive ledger of a record export', () => {
  const pending = { result: 'pending', graded_at: '', closing_odds_american: '', clv_bps: '', edge_bps: '' };

  it('has records, streaks, and leaderboards', () => {
    const state = ledgerOfExport(
      [
        row(4, pending),
        row(3),
        row(2, { half: 'true', closing_line: '-3.5', odds_american: '150' }),
        row(1, { result: 'loss' }),
        row(1, { id: '5', uuid: 'b', capper: 'bob', capper_tier: 'listed', provenance: 'imported' }),
      ],
      now,
    );
    expect(recordWindows(state).windows['7d']).to.include({ picks: 0 });
    const all = recordWindows(state).windows.all;
    expect(all).to.include({ picks: 4, record: '3-1-0', unitsNet: 1.75, clvSample: 3, clvMovedSample: 1 });
    expect(all).to.include({ edgeMeanPct: 1.2, importedPicks: 1 });
    expect(streakOf(state.byCapper.get('ann')!)).to.include({ kind: 'W', length: 2 });
    const ranks = leaderboard(state).cappers.map(({ handle, tier, record }) => [handle, tier, record]);
    expect(ranks).to.deep.equal([
      ['ann', 'elite', '2-1-0'],
      ['bob', 'listed', '1-0-0'],
    ]);
  });

  it('requires every column that it uses', () => {
    const { capper: _, ...short } = row(1);
    expect(() => ledgerOfExport([short], now)).to.throw('the export has no column capper');
  });
});
