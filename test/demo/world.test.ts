import { expect } from 'chai';
import fc from 'fast-check';
import { demoCappers } from '../../src/demo/cappers.ts';
import type { DemoGame } from '../../src/demo/rows.ts';
import { demoSports } from '../../src/demo/sports.ts';
import { instantsWithin, worldRows } from '../../src/demo/world.ts';
import { checkCapper } from '../../src/intake/capper.ts';
import { checkGame } from '../../src/intake/game.ts';
import { checkLine } from '../../src/intake/price.ts';
import { checkResult } from '../../src/intake/result.ts';
import { checkStats } from '../../src/intake/stats.ts';
import { checkImportedPick } from '../../src/ledger/posting/pick-row.ts';
import { instant } from '../../src/platform/clock.ts';
import { playerMarkets } from '../../src/rules/markets/player-markets.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-10T00:00:00Z');

describe("the demo's world", () => {
  it('is the same however time is divided', () => {
    const whole = worldRows(start, start + day);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: day }), (cut) => {
        const [first, second] = [worldRows(start, start + cut), worldRows(start + cut, start + day)];
        for (const kind of Object.keys(whole) as (keyof DemoGame)[])
          expect(first[kind].length + second[kind].length).to.equal(whole[kind].length);
        expect([...first.picks, ...second.picks]).to.deep.equal(whole.picks);
      }),
      { numRuns: 10 },
    );
  });

  it('has only rows that the ledger accepts', () => {
    const { games, lines, picks, results, stats } = worldRows(start, start + 3 * day);
    const checks = [
      [demoCappers.map((row) => ({ row })), checkCapper],
      [games, checkGame],
      [lines, checkLine],
      [picks.map(({ row: { source: _, ...row } }) => ({ row })), checkImportedPick],
      [results, checkResult],
      [stats, checkStats],
    ] as [{ row: unknown }[], (row: unknown) => { ok: boolean }][];
    for (const [rows, check] of checks) {
      expect(rows).to.not.deep.equal([]);
      for (const { row } of rows) expect(check(row), JSON.stringify(row)).to.include({ ok: true });
    }
    expect(new Set(picks.map(({ row }) => row.source))).to.deep.equal(new Set(['demo']));
  });

  it('has all ten sports every day, and picks before each start', () => {
    const { games, picks } = worldRows(start, start + day);
    expect(new Set(games.map(({ row }) => row.sport))).to.deep.equal(
      new Set(demoSports.map(({ key }) => key)),
    );
    const starts = new Set(picks.map(({ row }) => row.startsAt));
    expect(starts.size).to.be.at.least(2);
    const hours = new Set(picks.map(({ at }) => Math.floor((at - start) / 3_600_000)));
    expect(hours.size).to.be.at.least(12);
  });

  it('always has picks to follow on games that have not started, except right after a start', () => {
    const { picks } = worldRows(start - day, start + 10 * day);
    for (let now = start + 30 * 60_000; now < start + 10 * day; now += 3_600_000) {
      const open = picks.filter(({ at, row }) => at <= now && instant(row.startsAt!) > now);
      expect(open.length, new Date(now).toISOString()).to.be.at.least(5);
    }
  });

  it('has no side in two games at one time', () => {
    const { games } = worldRows(start, start + 20 * day);
    const times = Map.groupBy(
      new Set(games.map(({ row }) => `${row.sport}|${row.startsAt}|${row.game}`)),
      (game) => game.split('|', 2).join('|'),
    );
    expect([...times.values()].some(({ length }) => length > 1)).to.equal(true);
    for (const [time, same] of times) {
      const sides = same.flatMap((game) => game.split('|')[2]!.split(' @ '));
      expect(new Set(sides).size, time).to.equal(sides.length);
    }
  });

  it('leaves the log whole seconds between each pick and the start of its game', () => {
    const { games, picks } = worldRows(start, start + 20 * day);
    const moved = new Map(
      games.flatMap(({ row }) => (row.movedTo == null ? [] : [[row.game + row.startsAt, row.movedTo]])),
    );
    expect(moved.size).to.be.greaterThan(2);
    const instants = instantsWithin(start, start + 21 * day);
    for (const { at, row } of picks) {
      const starts = [row.startsAt!, moved.get(row.game + row.startsAt)].filter((each) => each !== undefined);
      const covered = instants.find((each) => each >= at)!;
      for (const each of starts) expect(covered, JSON.stringify(row)).to.be.lessThan(instant(each) - 1000);
    }
  });

  it('has a box score for every player named in a pick', () => {
    const { games, picks, stats } = worldRows(start, start + 10 * day);
    const names = new Set(playerMarkets.map(({ name }) => name));
    const final = new Set(
      games.flatMap(({ row }) => (row.status === 'final' ? [row.game + row.startsAt] : [])),
    );
    const known = new Set(stats.map(({ row }) => row.game + row.startsAt + row.player));
    const props = picks.filter(({ row }) => names.has(row.market) && final.has(row.game + row.startsAt));
    expect(props.length).to.be.greaterThan(50);
    for (const { row } of props)
      expect([...known], JSON.stringify(row)).to.include(row.game + row.startsAt! + row.subject);
    expect(stats.filter(({ row }) => row.played === false)).to.not.deep.equal([]);
  });

  describe('in ninety days', () => {
    let cappers: Map<string, Value[]>;

    before(function () {
      this.timeout(120_000);
      cappers = Map.groupBy(valuesOf(worldRows(start, start + 90 * day)), ({ capper }) => capper);
    });

    it("has cappers with an edge, without one, and with losses equal to the books' margin", () => {
      const edges = [...cappers.values()].map((values) => mean(values.map(({ edge }) => edge)));
      expect(edges).to.have.length(demoCappers.filter(({ namesBook }) => namesBook).length);
      expect(Math.max(...edges)).to.be.within(0.02, 0.045);
      expect(Math.min(...edges)).to.be.within(-0.055, -0.035);
      expect(edges.some((edge) => Math.abs(edge) < 0.01)).to.equal(true);
    });

    it('has prices that move either way, so that CLV averages zero over all picks', () => {
      const all = [...cappers.values()].flat().map(({ clv }) => clv);
      expect(mean(all)).to.be.within(-0.01, 0.01);
      expect(all.filter((clv) => clv > 0).length / all.length).to.be.within(0.3, 0.6);
      expect(all.filter((clv) => clv < 0).length / all.length).to.be.within(0.3, 0.6);
    });
  });
});

interface Value {
  capper: string;
  /** The CLV against the closing odds of the same book. */
  clv: number;
  /** The edge against the book's fair closing probability. */
  edge: number;
}

/**
 * Returns the values of the picks that name a book and close at their line. Team totals are left out: one market of them has two contests.
 */
function valuesOf({ lines, picks }: DemoGame): Value[] {
  const market = (row: { game: string; startsAt?: string | null; market: string; subject?: string | null }) =>
    [row.game, row.startsAt, row.market, row.subject].join();
  const closing = Map.groupBy(
    lines.filter(({ row }) => row.closing).map(({ row }) => row),
    (row) => [market(row), row.book].join(),
  );
  const single = picks.filter(({ row }) => row.market !== 'team_total');
  return single.flatMap(({ row }) => {
    const prices = closing.get([market(row), row.book].join()) ?? [];
    const own = prices.find(({ side, line }) => side === row.side && line === row.line);
    if (own === undefined) return [];
    const [posted, closed] = [decimal(row.oddsAmerican), decimal(own.oddsAmerican)];
    const overround = prices.reduce((sum, { oddsAmerican }) => sum + 1 / decimal(oddsAmerican), 0);
    return { capper: row.capperHandle, clv: posted / closed - 1, edge: posted / closed / overround - 1 };
  });
}

function decimal(american: number): number {
  return american > 0 ? 1 + american / 100 : 1 - 100 / american;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
