import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkPick } from '../../src/ledger/posting/pick-row.ts';
import type { BetGame } from '../../src/rules/bet-text/day.ts';
import { selectionWords } from '../../src/rules/bet-text/print.ts';
import { type BetText, readBetText } from '../../src/rules/bet-text/read.ts';
import { marketIn, markets } from '../../src/rules/markets/index.ts';
import { playerMarkets } from '../../src/rules/markets/player-markets.ts';
import { selectionFault } from '../../src/rules/selection.ts';
import { gradingScoreName, unscoredMarkets } from '../../src/rules/units.ts';
import { betGames } from '../support/bet-day.ts';

/** A game of each sport, with a player. */
const games: ReadonlyMap<string, BetGame> = new Map(
  [...betGames.values()]
    .toReversed()
    .map((game) => [game.sport, { ...game, players: [{ name: 'Ada Colefield', names: ['Ada Colefield'] }] }]),
);

/** Every declared market in every sport that has it, with its sides. */
const declared = [...games.values()].flatMap((game) =>
  [...markets, ...playerMarkets]
    .filter(({ name }) => marketIn(game.sport, name) !== undefined)
    .map((market) => ({ game, market, sides: market.contests(game.moneylineWays).flat() })),
);

/**
 * Reports whether a market is about the first half in a sport that has none. Posting accepts such bets, which only results settle; no text
 * means them.
 */
const isOfNoHalf = ({ game, market }: (typeof declared)[number]) =>
  market.gradedBy === 'firstHalf' && ['mlb', 'nhl', 'tennis', 'mma'].includes(game.sport);

describe('every declared market, in every sport that has it', () => {
  const selectionsOf = ({ game, market, sides }: (typeof declared)[number]) =>
    sides.map((side) => ({
      sport: game.sport,
      game: game.game,
      market: market.name,
      subject: market.gradedBy === 'stat' ? 'Ada Colefield' : null,
      side,
      line: market.line === null ? null : 4.5,
    }));
  const named = (each: (typeof declared)[number]) => `${each.game.sport} ${each.market.name}`;

  it('is posted under its name and under its label, with each of its sides and no other', () => {
    for (const each of declared)
      for (const { line, ...selection } of selectionsOf(each)) {
        const row = { ...selection, line, startsAt: '2030-01-01T00:00:00Z', capperHandle: 'zoe', pick: 'It' };
        for (const market of [each.market.name, each.market.label]) {
          const checked = checkPick({ ...row, market, oddsAmerican: -110, stakeUnits: 1 });
          expect(checked, `${named(each)} as ${market}`).to.have.property('ok', true);
          expect((checked as { value: object }).value).to.deep.include({
            market: each.market.name,
            side: selection.side,
          });
        }
        const lineE3 = line === null ? null : line * 1000;
        const fault = (side: string, points: number | null) =>
          selectionFault({ ...selection, side, lineE3: points }, each.game, each.game.moneylineWays);
        expect(fault(selection.side, lineE3), named(each)).to.equal(undefined);
        expect(fault('neither', lineE3), named(each)).to.match(/has the sides/);
        expect(fault(selection.side, lineE3 === null ? 4500 : null), named(each)).to.match(/line/);
      }
  });

  it('is read from the words that pages print for it', () => {
    for (const each of declared)
      for (const selection of selectionsOf(each)) {
        const { game } = each;
        const textOf = (line: number | null) =>
          selectionWords({
            ...selection,
            line,
            startsAt: null,
            away: game.away.name,
            home: game.home.name,
            oddsAmerican: null,
            stakeUnits: null,
            book: null,
          });
        // A total of points is plausible in other sports than one of goals.
        const lines = selection.line === null ? [null] : [1.5, 4.5, 8.5, 20.5, 45.5, 130.5, 210.5];
        const read = lines.map((line) => ({
          line,
          text: textOf(line),
          found: readBetText(textOf(line), [game]),
        }));
        const bet = read.find(({ found }) => found.kind === 'bet');
        const isUnscored = unscoredMarkets.includes(`${game.sport}/${each.market.name}`);
        if (bet === undefined && (isUnscored || isOfNoHalf(each))) continue;
        expect(bet, `${named(each)}: ${JSON.stringify(read)}`).not.to.equal(undefined);
        const { market, subject, side, line } = (bet!.found as Extract<BetText, { kind: 'bet' }>).bet;
        expect({ market, subject, side, line }, bet!.text).to.deep.equal({
          market: selection.market,
          subject: selection.subject,
          side: selection.side,
          line: bet!.line,
        });
      }
  });

  it('is graded by a score, sets, or statistics, or said to need results', () => {
    for (const { game, market, sides } of declared) {
      const score = gradingScoreName(market.name, game.sport);
      const isUnscored = unscoredMarkets.includes(`${game.sport}/${market.name}`);
      expect(
        score !== null || market.gradedBy === 'stat' || isUnscored,
        `${game.sport} ${market.name}`,
      ).to.equal(true);
      for (const side of sides) {
        const lineE3 = market.line === null ? null : 4500;
        const outcome =
          market.gradedBy === 'stat'
            ? market.grade(side, lineE3, 3)
            : market.grade(side, lineE3, { home: 3, away: 1 }, game.moneylineWays);
        expect(outcome?.result, `${game.sport} ${market.name} ${side}`).to.match(/^(win|loss|push)$/);
      }
    }
  });

  it('is explained in the rules', () => {
    const text = ['markets', 'player-markets']
      .map((page) => readFileSync(new URL(`../../docs/rules/${page}.md`, import.meta.url), 'utf8'))
      .join('');
    for (const { market } of declared) expect(text).to.contain(`\`${market.name}\``);
  });

  it('is another market in the sports that do not have it: its bets need a subject, and no score grades them', () => {
    for (const game of games.values())
      for (const { name } of playerMarkets.filter(
        (market) => marketIn(game.sport, market.name) === undefined,
      )) {
        const selection = { market: name, subject: null, side: 'over', lineE3: 4500 };
        expect(selectionFault(selection, game, game.moneylineWays), `${game.sport} ${name}`).to.match(
          /needs a subject/,
        );
        expect(gradingScoreName(name, game.sport)).to.equal(null);
      }
  });
});
