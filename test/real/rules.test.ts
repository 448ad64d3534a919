import { expect } from 'chai';
import { chancePct } from '../../src/rules/chance.ts';
import { closingMarket, closingOf } from '../../src/rules/closing.ts';
import type { PriceRow } from '../../src/rules/closing-snapshot.ts';
import { edgeBps, fairClose } from '../../src/rules/edge.ts';
import { gradeByScore } from '../../src/rules/grading.ts';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import { type JudgedPick, verdictFigures, verdictOf } from '../../src/rules/verdict.ts';
import * as naive from '../naive/closing.ts';
import { readFolder, realDataFolder } from '../naive/read.ts';

const folder = realDataFolder();

if (folder === null) {
  process.stdout.write('REAL_DATA is absent: skipping the rules over the real data\n');
} else {
  describe('the rules over the real data', () => {
    const { games, lines, picks } = readFolder(folder);
    const gameOf = (row: { sport: string; game: string; startsAt?: string | null }) =>
      `${row.sport} ${row.game} ${row.startsAt}`;
    const lineE3 = (line: number | null | undefined) => (typeof line === 'number' ? line * 1000 : null);

    const rows = new Map<string, PriceRow[]>();
    for (const line of lines) {
      const key = `${gameOf(line)} ${line.market}`;
      const known = rows.get(key) ?? [];
      rows.set(key, known);
      known.push({
        book: line.book,
        side: line.side,
        lineE3: lineE3(line.line),
        oddsAmerican: line.oddsAmerican,
        capturedAt: Date.parse(line.capturedAt),
        closing: line.closing === true,
      });
    }

    it('close every pick except those of unplayed games, as a naive computation does', () => {
      const played = new Set(games.filter(({ status }) => status === 'final').map(gameOf));
      const missing: string[] = [];
      let moved = 0;
      for (const pick of picks) {
        const prices = rows.get(`${gameOf(pick)} ${pick.market}`) ?? [];
        const start = Date.parse(pick.startsAt!);
        for (const book of [pick.book ?? null, null]) {
          const bet = { ...pick, lineE3: lineE3(pick.line), book };
          const closing = closingOf(closingMarket(pick.market, prices, start), bet);
          const expected = naive.closingOf(bet, prices, start);
          expect(closing?.clvBps).to.equal(expected?.clvBps);
          expect(closing?.oddsAmerican).to.equal(expected?.oddsAmerican);
          expect(closing?.lineE3).to.equal(expected?.lineE3);
          expect(closing?.prices).to.deep.equal(expected?.prices);
          if (book === null) continue;
          if (closing === null) missing.push(gameOf(pick));
          else if (!closing.sameLine) moved += 1;
        }
      }
      expect(missing.filter((game) => played.has(game))).to.deep.equal([]);
      expect({ picks: picks.length, missing: missing.length, moved }).to.deep.equal({
        picks: 6397,
        missing: 15,
        moved: 1296,
      });
    });

    it('close picks at quarter lines as a naive computation does', () => {
      const start = (row: { startsAt?: string | null }) => Date.parse(row.startsAt!);
      const quarters = lines.filter(({ line }) => typeof line === 'number' && (line * 2) % 1 !== 0);
      const found = { closed: 0, moved: 0, carried: 0 };
      for (const line of quarters) {
        const prices = rows.get(`${gameOf(line)} ${line.market}`)!;
        const bet = { ...line, lineE3: lineE3(line.line) };
        const closing = closingOf(closingMarket(line.market, prices, start(line)), bet);
        const expected = naive.closingOf(bet, prices, start(line));
        expect(closing?.clvBps).to.equal(expected?.clvBps);
        expect(closing?.lineE3).to.equal(expected?.lineE3);
        expect(closing?.prices).to.deep.equal(expected?.prices);
        if (closing === null) continue;
        found.closed += 1;
        if (!closing.sameLine) found.moved += 1;
        const { snapshots } = closingMarket(line.market, prices, start(line));
        const fair = fairClose({ ...bet, moneylineWays: 3 }, snapshots.values());
        if (fair === null) expect(expected!.edgePct).to.equal(null);
        else expect(edgeBps(bet.oddsAmerican, fair.chanceE9) / 100).to.be.closeTo(expected!.edgePct!, 0.011);
        if (fair?.method === 'margin_model') found.carried += 1;
      }
      expect(quarters).to.have.length(1422);
      expect(found).to.deep.equal({ closed: 1422, moved: 250, carried: 246 });
    });

    it('grade every pick of a played game', () => {
      const scores = new Map(games.map((game) => [gameOf(game), game]));
      const counts = { win: 0, loss: 0, push: 0, void: 0 };
      for (const pick of picks) {
        const { homeScore, awayScore } = scores.get(gameOf(pick))!;
        if (typeof homeScore !== 'number' || typeof awayScore !== 'number') continue;
        const moneylineWays = pick.sport === 'soccer' ? 3 : 2;
        const half = { homeHalfScore: null, awayHalfScore: null, sets: null, played: null, periodsE3: null };
        const final = { homeScore, awayScore, ...half };
        const bet = { ...pick, lineE3: lineE3(pick.line), moneylineWays, ...final } as const;
        counts[gradeByScore(bet)!.result] += 1;
      }
      expect(counts).to.deep.equal({ win: 2915, loss: 3340, push: 127, void: 0 });
    });

    it('praise nobody who takes every line of +0.25, although half results win more often than they lose', () => {
      const finals = new Map(
        games.flatMap((game) => (game.status === 'final' ? [[gameOf(game), game] as const] : [])),
      );
      const first = new Map(
        lines.flatMap((line) =>
          line.market === 'spread' && line.line === 0.25 && finals.has(gameOf(line))
            ? [[gameOf(line), line] as const]
            : [],
        ),
      );
      const bets = [...first].map(([name, line], index): JudgedPick => {
        const { homeScore = null, awayScore = null } = finals.get(name)!;
        const score = { homeScore, awayScore, homeHalfScore: null, awayHalfScore: null, sets: null };
        const bet = {
          ...line,
          lineE3: 250,
          moneylineWays: 3,
          played: null,
          periodsE3: null,
          ...score,
        } as const;
        const { result, half } = gradeByScore(bet)!;
        const startsAt = Date.parse(line.startsAt!);
        return {
          gameId: index,
          sport: line.sport,
          market: 'spread',
          pickUuid: name,
          result,
          half,
          startsAt,
          postedAt: startsAt - 1,
          settledAt: startsAt + 1,
          oddsAmerican: line.oddsAmerican,
          stakeE4: 10_000,
          netUnitsE4: netUnitsE4(result, 10_000, line.oddsAmerican, half),
          priceVerdict: 'available',
          edgeBps: null,
        };
      });
      const figures = verdictFigures(bets);
      // As whole results, 59 wins of 100 would be better than all but 1 in 58 bettors without skill at -110.
      expect([figures.wins, figures.losses, figures.halves]).to.deep.equal([152, 105, 66]);
      const groups = Map.groupBy(
        bets.filter(({ result }) => result !== 'push'),
        ({ oddsAmerican, half }) => `${oddsAmerican} ${half}`,
      );
      const chance = chancePct(
        [...groups.values()].map((of) => ({
          oddsAmerican: of[0]!.oddsAmerican,
          half: of[0]!.half,
          decided: of.length,
          wins: of.filter(({ result }) => result === 'win').length,
        })),
      );
      expect(chance).to.be.within(30, 40);
      expect(verdictOf(figures).word).to.equal('unproven');
    });
  });
}
