import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const longAfter = Date.parse('2025-01-01T00:00:00Z');

interface Row {
  pick: string;
  result: string;
  settledAt: string;
  netUnits: number;
  closing: number | null;
  clvBps: number | null;
  sameLine: boolean | null;
}

describe('the life of picks', () => {
  const stores = withDatabase();
  let rows: Map<string, Row>;

  before(async () => {
    const { refusals } = await ingest(stores.database, league, longAfter);
    expect(refusals).to.deep.equal([]);
    await runPipeline(stores.database, longAfter);
    const found = await stores.database('board_picks').select('*');
    rows = new Map(
      found.map((row) => [
        row.pick,
        {
          pick: row.pick,
          result: row.result,
          settledAt: row.settled_at === null ? '' : new Date(row.settled_at).toISOString(),
          netUnits: row.net_units_e4 / 10_000,
          closing: row.closing_odds,
          clvBps: row.clv_bps,
          sameLine: row.same_line,
        },
      ]),
    );
  });

  /** The odds, results, and CLV in this table were computed by hand. */
  const lives: [behaviour: string, pick: string, expected: Partial<Row>][] = [
    [
      'makes a tie a push on the moneyline',
      'Foxes to win',
      { result: 'push', netUnits: 0, closing: -120, clvBps: 413 },
    ],
    ['a tie covers +1.5', 'Gulls +1.5', { result: 'win', netUnits: 1.9048, closing: -110, clvBps: 227 }],
    [
      'makes three points against -3 a push',
      'Rays -3',
      { result: 'push', netUnits: 0, closing: 105, clvBps: -687, sameLine: true },
    ],
    [
      'makes three points a win against -2.5, closed at its own line',
      'Rays -2.5',
      { result: 'win', netUnits: 0.9091, closing: -115, clvBps: 211 },
    ],
    [
      'closes a moved line at the main line, never at an in-play price',
      'Over 50.5',
      { result: 'win', netUnits: 0.9259, closing: -110, clvBps: 88, sameLine: false },
    ],
    [
      'grades the first game of a doubleheader',
      'Larks in game one',
      { result: 'win', netUnits: 1.25, closing: 120, clvBps: 227 },
    ],
    [
      'grades the second game of a doubleheader',
      'Larks in game two',
      { result: 'loss', netUnits: -1, closing: -105, clvBps: 756 },
    ],
    [
      'makes a soccer draw a loss for either team',
      'Old Mill to win',
      { result: 'loss', netUnits: -1, closing: 150, clvBps: 400 },
    ],
    [
      'makes a soccer draw a win for the draw',
      'Level at full time',
      { result: 'win', netUnits: 2.3, closing: 220, clvBps: 313 },
    ],
    [
      'voids a postponed game 48 hours after its start',
      'Lantern City',
      { result: 'void', netUnits: 0, settledAt: '2024-11-07T00:00:00.000Z', closing: null, clvBps: null },
    ],
    [
      'voids a cancelled game',
      'Varga',
      { result: 'void', netUnits: 0, settledAt: '2024-08-20T18:00:00.000Z' },
    ],
    [
      'closes a moved game at its new start',
      'Ferry on the road',
      { result: 'win', netUnits: 1.4, closing: 300, clvBps: -500, settledAt: '2024-09-21T19:30:00.000Z' },
    ],
    [
      'closes nothing by a snapshot older than six hours, even across a clock change',
      'Comets, an hour before the clocks change',
      { result: 'win', netUnits: 0.7143, closing: null, clvBps: null, settledAt: '2024-03-10T22:30:00.000Z' },
    ],
    [
      'closes a pick without a book at the median of all books, and makes exactly the total a push',
      'Under 200, in the hour that comes twice',
      { result: 'push', closing: -110, clvBps: 0, settledAt: '2024-11-03T09:30:00.000Z' },
    ],
    [
      'grades a prop by its result event',
      'Guard over 24.5 points',
      { result: 'loss', netUnits: -1, settledAt: '2024-12-01T03:10:00.000Z', closing: null },
    ],
    ['closes nothing without any price', 'Otters', { result: 'push', closing: null, clvBps: null }],
  ];

  for (const [behaviour, pick, expected] of lives)
    it(behaviour, () => {
      expect(rows.get(pick)).to.include(expected);
    });

  it('covers every pick of the season', () => {
    expect([...rows.keys()].sort()).to.deep.equal(lives.map(([, pick]) => pick).sort());
  });

  it('settles at the instant of the final score if it is known', () => {
    expect(rows.get('Rays -3')?.settledAt).to.equal('2024-10-06T23:31:00.000Z');
  });

  it('counts each settled pick once in the rollups, by the Eastern day of its settlement', async () => {
    const [sums] = await stores
      .database('daily_rollups')
      .select(
        stores.database.raw('sum(posted)::int as posted, sum(wins)::int as wins, sum(losses)::int as losses'),
        stores.database.raw('sum(pushes)::int as pushes, sum(voids)::int as voids, sum(net_e4)::int as net'),
      );
    const nets = [...rows.values()].reduce((sum, { netUnits }) => sum + Math.round(netUnits * 10_000), 0);
    expect(sums).to.deep.equal({ posted: 16, wins: 7, losses: 3, pushes: 4, voids: 2, net: nets });
    const days = await stores
      .database('daily_rollups')
      .where('wins', '>', 0)
      .where('sport', 'nba')
      .pluck('day');
    expect(days, '22:30 UTC on the day the clocks change').to.deep.equal(['2024-03-10']);
  });
});
