import { expect } from 'chai';
import { closing as closingBoard, timeline } from './boards-picks.ts';
import { fromStart, game, line, pick, START, stateAt } from './cases.ts';
import { iso } from './days.ts';
import type { LineRow, PickRow, Rows } from './read.ts';

const LATER = fromStart(100);

const closed = (lines: LineRow[], fields: Partial<PickRow> = {}, now = LATER, more: Partial<Rows> = {}) =>
  stateAt(now, { lines, picks: [pick(fields)], ...more }).picks[0]!.closing;

const spread = (side: string, points: number, oddsAmerican: number, fields: Partial<LineRow> = {}): LineRow =>
  line({ market: 'spread', side, line: points, oddsAmerican, ...fields });

const onSpread = (side: string, points: number, oddsAmerican = -110): Partial<PickRow> => ({
  market: 'spread',
  side,
  line: points,
  oddsAmerican,
});

describe('the naive closing', () => {
  it('happens at the start, not before, at the last price by then', () => {
    const lines = [
      line({ oddsAmerican: 110, capturedAt: fromStart(-3) }),
      line({ oddsAmerican: 120, capturedAt: START }),
      line({ oddsAmerican: 130, capturedAt: fromStart(0.001) }),
    ];
    expect(closed(lines, {}, fromStart(-0.001))).to.equal(null);
    expect(closed(lines, {}, START)).to.deep.include({ oddsAmerican: 120, capturedAt: Date.parse(START) });
    expect(closed(lines)?.oddsAmerican).to.equal(120);
  });

  it('uses an unmarked price up to six hours old, and a marked one of any age', () => {
    expect(closed([line({ capturedAt: fromStart(-6) })])).not.to.equal(null);
    expect(closed([line({ capturedAt: fromStart(-6.001) })])).to.equal(null);
    expect(closed([line({ capturedAt: fromStart(-30), closing: true })])).not.to.equal(null);
  });

  it('prefers a marked snapshot to a later unmarked one, and the later of two marked ones', () => {
    const marked = line({ oddsAmerican: 115, capturedAt: fromStart(-5), closing: true });
    expect(closed([marked, line({ oddsAmerican: 120 })])?.oddsAmerican).to.equal(115);
    const two = [marked, line({ oddsAmerican: 117, capturedAt: fromStart(-4), closing: true })];
    expect(closed([...two, line()])?.oddsAmerican).to.equal(117);
    const late = line({ oddsAmerican: 140, capturedAt: fromStart(1), closing: true });
    expect(closed([late, line({ oddsAmerican: 120 })])?.oddsAmerican, 'marked after the start').to.equal(120);
  });

  it('never mixes in another book', () => {
    expect(closed([line({ book: 'other' })])).to.equal(null);
  });

  it('follows a start that moved', () => {
    const lines = [line(), line({ oddsAmerican: 150, capturedAt: fromStart(23) })];
    const games = [game({ movedTo: fromStart(24) })];
    expect(closed(lines, {}, fromStart(1), { games })).to.equal(null);
    expect(closed(lines, {}, fromStart(24), { games })?.oddsAmerican).to.equal(150);
  });

  it("uses the pick's own line if it is priced, and says that the line stayed", () => {
    const lines = [spread('home', -3, -110), spread('away', 3, -110), spread('home', -4, 120)];
    expect(closed(lines, onSpread('home', -4))).to.deep.include({
      oddsAmerican: 120,
      lineE3: -4000,
      sameLine: true,
      lineMove: 0,
      // The other side is priced only at -3.
      fair: { ...closed(lines, onSpread('home', -4))!.fair!, method: 'margin_model', books: 1 },
    });
  });

  it('otherwise uses the main line, the one with the most even prices', () => {
    const lines = [
      ...[spread('home', -3, -110), spread('away', 3, -110)],
      ...[spread('home', -3.5, 105), spread('away', 3.5, -125)],
    ];
    expect(closed(lines, onSpread('home', -4.5))).to.deep.include({
      oddsAmerican: -110,
      lineE3: -3000,
      clvBps: 0,
      sameLine: false,
      lineMove: -1.5,
      edgePct: -14.04,
    });
    expect(closed(lines, onSpread('away', 4.5))).to.deep.include({ lineE3: 3000, lineMove: 1.5 });
  });

  it('breaks a tie of main lines by the smaller line, then by the lower home line', () => {
    const pair = (points: number) => [spread('home', points, -110), spread('away', -points, -110)];
    const all = [...pair(-2), ...pair(1), ...pair(-1)];
    expect(closed(all, onSpread('home', -7))?.lineE3).to.equal(-1000);
    expect(closed(all, onSpread('away', 7))?.lineE3).to.equal(1000);
  });

  it("uses a one-sided line only if it is the pick's own", () => {
    const lines = [spread('home', -3, -105)];
    expect(closed(lines, onSpread('home', -4))).to.equal(null);
    expect(closed(lines, onSpread('home', -3))).to.deep.include({ oddsAmerican: -105, edgePct: null });
  });

  it('counts line moves in favor of an over and of an under', () => {
    const total = (side: string, points: number): LineRow =>
      line({ market: 'total', side, line: points, oddsAmerican: -110 });
    const at = (points: number) => [total('over', points), total('under', points)];
    const onTotal = (side: string): Partial<PickRow> => ({
      market: 'total',
      side,
      line: 8.5,
      oddsAmerican: -110,
    });
    expect(closed(at(9), onTotal('over'))?.lineMove).to.equal(0.5);
    expect(closed(at(9), onTotal('under'))?.lineMove).to.equal(-0.5);
    expect(closed(at(8.5), onTotal('under'))?.lineMove).to.equal(0);
  });

  it('uses the lower of two prices for one side and line', () => {
    const two = [line({ oddsAmerican: 150 }), line({ oddsAmerican: 100 })];
    expect(closed(two, { oddsAmerican: 110 })).to.deep.include({ oddsAmerican: 100, clvBps: 500 });
  });

  it('rounds CLV with halves away from zero', () => {
    const at = (posted: number) => closed([line({ oddsAmerican: 1500 })], { oddsAmerican: posted })?.clvBps;
    expect(at(1502), '10000 * (16.02 / 16 - 1) = 12.5').to.equal(13);
    expect(at(202), '10000 * (3.02 / 16 - 1) = -8112.5').to.equal(-8113);
  });

  it('computes the edge against the fair probability of two and of three sides', () => {
    const two = [line({ oddsAmerican: -110 }), line({ side: 'away', oddsAmerican: -110 })];
    expect(closed(two, { oddsAmerican: 110 })?.edgePct).to.equal(5);
    expect(closed(two.slice(0, 1), { oddsAmerican: 110 })?.edgePct).to.equal(null);
    const soccer = { sport: 'soccer' };
    const three = [
      line({ ...soccer, oddsAmerican: 150 }),
      line({ ...soccer, side: 'draw', oddsAmerican: 200 }),
      line({ ...soccer, side: 'away', oddsAmerican: 200 }),
    ];
    const games = [game(soccer)];
    const own = { ...soccer, oddsAmerican: 160 };
    expect(closed(three, own, LATER, { games })?.edgePct).to.equal(-1.8);
    expect(closed(three.slice(0, 2), own, LATER, { games })?.edgePct).to.equal(null);
    expect(closed(three, own, LATER, { games })?.prices).to.deep.equal([
      { side: 'away', oddsAmerican: 200 },
      { side: 'draw', oddsAmerican: 200 },
      { side: 'home', oddsAmerican: 150 },
    ]);
  });

  it('uses the median of all books for a pick without a book', () => {
    const noBook = { book: null, oddsAmerican: 110 };
    const of = (book: string, oddsAmerican: number, capturedAt = fromStart(-1)) =>
      line({ book, oddsAmerican, capturedAt });
    expect(closed([of('a', 100), of('b', 110), of('c', -110)], noBook)?.oddsAmerican).to.equal(100);
    expect(closed([of('a', 100, fromStart(-2)), of('b', 110)], noBook)).to.deep.include({
      oddsAmerican: 105,
      clvBps: 244,
      book: null,
      capturedAt: Date.parse(fromStart(-1)),
    });
    const odd = closed([of('a', 100), of('b', 101)], { ...noBook, oddsAmerican: 201 })!;
    expect([odd.oddsAmerican, odd.clvBps], 'shown as +100 of 2.005; 3.01 / 2.005').to.deep.equal([100, 5012]);
    const spreads = [spread('home', -3, -110), spread('home', -3.5, 100, { book: 'other' })];
    expect(closed(spreads, { ...onSpread('home', -3.5), book: null })?.oddsAmerican).to.equal(100);
    expect(closed(spreads, { ...onSpread('home', -4), book: null })).to.equal(null);
  });

  it('is shown as closed, open, or missing', () => {
    const show = (now: string, lines: LineRow[]) => {
      const state = stateAt(now, { lines, picks: [pick({ oddsAmerican: 110 })] });
      const { uuid } = state.picks[0]!;
      return {
        ...closingBoard(state, { uuid }),
        events: timeline(state, { uuid }).events.map(({ event }) => event),
      };
    };
    expect(show(fromStart(-1), [line()])).to.deep.include({ status: 'open', closing: null, clvPct: null });
    expect(show(fromStart(0.24), [])).to.deep.include({ status: 'open', clvBps: null, events: ['posted'] });
    expect(show(fromStart(0.25), [])).to.deep.include({
      status: 'missing',
      clvBps: null,
      events: ['posted'],
    });
    expect(show(LATER, []).events).to.deep.equal(['posted', 'settled']);
    const both = [line({ oddsAmerican: 105 }), line({ side: 'away', oddsAmerican: -125 })];
    const shown = show(LATER, both);
    expect(shown).to.deep.include({
      status: 'closed',
      clvBps: 244,
      clvPct: 2.44,
      edgeMethod: 'power',
    });
    expect(shown.closing).to.deep.equal({
      oddsAmerican: 105,
      oddsDecimal: 2.05,
      line: null,
      at: iso(Date.parse(fromStart(-1))),
      source: 'acme',
      closedAt: iso(Date.parse(START)),
    });
    expect(shown.events).to.deep.equal(['posted', 'closed', 'settled']);
  });
});
