import { expect } from 'chai';
import { BOARD_PATHS, expectedBody } from './boards.ts';
import { everActive } from './consensus.ts';
import { compare, decimalOdds } from './fraction.ts';
import { pickKey } from './identity.ts';
import { ledgerAt } from './ledger.ts';
import { pickBody } from './pick-body.ts';
import { readFolder, realDataFolder } from './read.ts';

const folder = realDataFolder();

if (folder === null) {
  process.stdout.write('REAL_DATA is absent: skipping the naive computation over the real data\n');
} else {
  describe('the naive computation over the real data', () => {
    const rows = readFolder(folder);
    const state = ledgerAt(rows, { now: Date.parse('2026-02-01T00:00:00Z') });
    const count = (keep: (pick: (typeof state.picks)[number]) => boolean): number =>
      state.picks.filter(keep).length;

    it('settles every pick exactly once', () => {
      expect(rows.lines).to.have.length(24_848);
      expect(state.picks).to.have.length(6397);
      expect(new Set(state.picks.map((pick) => pick.uuid)).size).to.equal(6397);
      expect(count((pick) => pick.status === 'settled' && pick.settledAt! > pick.postedAt)).to.equal(6397);
      const results = ['win', 'loss', 'push', 'void'].map((result) =>
        count((pick) => pick.result === result),
      );
      expect(results).to.deep.equal([2915, 3340, 127, 15]);
    });

    it('recognizes every pick by its body', () => {
      expect(new Set(state.picks.map((pick) => pickKey(pickBody(state, pick)))).size).to.equal(6397);
    });

    it('closes every pick except those of postponed games, at a price of its own book', () => {
      const postponed = new Set(
        rows.games.filter((row) => row.status === 'postponed').map((row) => row.game),
      );
      expect(count((pick) => pick.closing !== null)).to.equal(6382);
      for (const pick of state.picks) {
        expect(pick.closing === null).to.equal(pick.result === 'void' && postponed.has(pick.game));
        if (!pick.closing) continue;
        expect(pick.closing.book).to.equal(pick.book);
        expect(pick.closing.capturedAt).to.be.at.most(pick.start!);
        if (compare(pick.decimal, pick.closing.decimal) === 0) expect(pick.closing.clvBps).to.equal(0);
        if (pick.closing.sameLine) expect(pick.closing.edgePct).to.be.a('number');
      }
    });

    it('has net units that follow from the results', () => {
      for (const { result, netUnitsE4, countedE4: stakeE4, oddsAmerican } of state.picks) {
        if (result === 'win') {
          const { n, d } = decimalOdds(oddsAmerican);
          expect(netUnitsE4).to.be.closeTo(stakeE4 * (Number(n) / Number(d) - 1), 0.51);
        } else expect(netUnitsE4).to.equal(result === 'loss' ? -stakeE4 : 0);
      }
    });

    it('remembers groups, and knows less of everything at an earlier instant', () => {
      const bySide = new Map<string, typeof state.picks>();
      for (const pick of state.picks.filter((one) => one.sharp))
        bySide.set(pick.sideKey, [...(bySide.get(pick.sideKey) ?? []), pick]);
      expect([...bySide.values()].filter(everActive)).to.have.length.above(0);
      const before = ledgerAt(rows, { now: Date.parse('2018-11-04T18:30:00Z') });
      const inPlay = before.picks.filter((pick) => pick.status === 'pending' && pick.closing !== null);
      expect(before.picks.length).to.be.below(state.picks.length);
      expect(inPlay).not.to.deep.equal([]);
      expect(before.picks.every((pick) => pick.closing === null || pick.start! <= before.now)).to.equal(true);
    });

    it('answers every endpoint on a busy Sunday', () => {
      const sunday = ledgerAt(rows, { now: Date.parse('2018-11-04T18:30:00Z') });
      const { uuid, game, capperHandle: handle } = sunday.picks.at(-1)!;
      const [name = ''] = game.split(' @ ');
      const params = { uuid, game, handle, name, other: 'rule-chalk', sport: 'nfl', tier: 'elite' };
      // No pick of 2018 is on a player.
      for (const path of BOARD_PATHS.filter((one) => !one.startsWith('/api/players/'))) {
        const text = JSON.stringify(expectedBody(path, sunday, params));
        expect(text, path).to.not.match(/NaN|undefined|Infinity/);
      }
    });
  });
}
