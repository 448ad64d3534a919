import { expect } from 'chai';
import { fromStart, game, line, pick, START, stateAt } from './cases.ts';
import { etDay, etHour, iso } from './days.ts';
import { differences } from './differences.ts';
import { decimalOdds, decimals, fraction, nearestAmerican, percentile } from './fraction.ts';
import { gradeByScore } from './grading.ts';
import { importName, pickKey, uuidV5 } from './identity.ts';
import { pickBody } from './pick-body.ts';
import type { GameRow, PickRow, Rows } from './read.ts';

const only = (now: string, rows: Partial<Rows>) => stateAt(now, rows).picks[0]!;
const LATER = fromStart(100);

describe('naive arithmetic', () => {
  it('rounds halves away from zero and never shows -0', () => {
    expect(decimals(fraction(25, 1000), 2)).to.equal(0.03);
    expect(decimals(fraction(-25, 1000), 2)).to.equal(-0.03);
    expect(Object.is(decimals(fraction(-4, 1000), 2), 0)).to.equal(true);
    expect(decimals(fraction(200, 3), 2)).to.equal(66.67);
  });

  it('turns American odds into exact decimals and back', () => {
    expect(decimalOdds(150)).to.deep.equal(fraction(5, 2));
    expect(decimalOdds(-110)).to.deep.equal(fraction(21, 11));
    for (const odds of [100, 101, 105, 2500, 100_000, -101, -110, -333, -99_999, -100_000])
      expect(nearestAmerican(decimalOdds(odds)), String(odds)).to.equal(odds);
    expect(nearestAmerican(decimalOdds(-100))).to.equal(100);
    expect(nearestAmerican(fraction(2045, 1000)), 'between +104 and +105').to.equal(104);
    expect(nearestAmerican(fraction(20451, 10_000))).to.equal(105);
  });

  it('interpolates percentiles between the closest ranks (type 7)', () => {
    const values = [4, 1, 3, 2].map((value) => fraction(value));
    expect(percentile(values, fraction(1, 4))).to.deep.equal(fraction(7, 4));
    expect(percentile(values, fraction(1, 2))).to.deep.equal(fraction(5, 2));
    expect(percentile(values, fraction(1))).to.deep.equal(fraction(4));
    expect(percentile([fraction(9)], fraction(3, 4))).to.deep.equal(fraction(9));
  });
});

describe('naive Eastern days', () => {
  it('include the 25-hour and the 23-hour day', () => {
    const [first, last] = ['2018-11-04T04:00:00Z', '2018-11-05T04:59:59.999Z'].map(Date.parse) as [
      number,
      number,
    ];
    expect([etDay(first - 1), etDay(first)]).to.deep.equal(['2018-11-03', '2018-11-04']);
    expect([etDay(last), etDay(last + 1)]).to.deep.equal(['2018-11-04', '2018-11-05']);
    const spring = Date.parse('2018-03-11T05:00:00Z');
    expect([etDay(spring - 1), etDay(spring)]).to.deep.equal(['2018-03-10', '2018-03-11']);
    expect(etDay(spring + 23 * 3_600_000)).to.equal('2018-03-12');
    const nine = ['2018-03-10', '2018-03-11', '2018-11-03', '2018-11-04'].map((day) => iso(etHour(day, 9)));
    expect(nine.map((text) => text.slice(11, 16))).to.deep.equal(['14:00', '13:00', '13:00', '14:00']);
  });

  it('follow the law (second Sunday of March to first Sunday of November) at every hour of two years', () => {
    const sunday = (year: number, month: number, nth: number): number => {
      const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
      return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
    };
    for (let at = Date.UTC(2018, 0, 1); at < Date.UTC(2020, 0, 1); at += 3_600_000) {
      const year = new Date(at).getUTCFullYear();
      const summer = at >= sunday(year, 2, 2) + 7 * 3_600_000 && at < sunday(year, 10, 1) + 6 * 3_600_000;
      const local = new Date(at - (summer ? 4 : 5) * 3_600_000).toISOString().slice(0, 10);
      if (etDay(at) !== local) expect.fail(`${iso(at)}: ${etDay(at)}, by law ${local}`);
    }
  });
});

describe('naive grading', () => {
  const cases: [string, string, string, number | null, number, number, string][] = [
    ['nfl', 'moneyline', 'home', null, 20, 17, 'win'],
    ['nfl', 'moneyline', 'away', null, 20, 17, 'loss'],
    ['nfl', 'moneyline', 'away', null, 20, 20, 'push'],
    ['soccer', 'moneyline', 'home', null, 1, 1, 'loss'],
    ['soccer', 'moneyline', 'away', null, 1, 1, 'loss'],
    ['soccer', 'moneyline', 'draw', null, 1, 1, 'win'],
    ['soccer', 'moneyline', 'draw', null, 2, 1, 'loss'],
    ['soccer', 'moneyline', 'away', null, 0, 1, 'win'],
    ['nfl', 'spread', 'home', -3000, 20, 17, 'push'],
    ['nfl', 'spread', 'home', -3500, 20, 17, 'loss'],
    ['nfl', 'spread', 'away', 3500, 20, 17, 'win'],
    ['nfl', 'spread', 'away', 2500, 20, 17, 'loss'],
    ['soccer', 'spread', 'home', 0, 1, 1, 'push'],
    ['nba', 'total', 'over', 37_000, 20, 17, 'push'],
    ['nba', 'total', 'over', 36_500, 20, 17, 'win'],
    ['nba', 'total', 'under', 36_500, 20, 17, 'loss'],
    ['nba', 'total', 'under', 37_500, 20, 17, 'win'],
  ];
  for (const [sport, market, side, lineE3, home, away, result] of cases)
    it(`makes ${sport} ${market} ${side} ${lineE3 ?? ''} at ${home}-${away} a ${result}`, () => {
      expect(gradeByScore(sport, market, side, lineE3, home, away)).to.deep.equal({ result, half: false });
    });

  it('settles at the start plus three hours, or at finalAt, and not before', () => {
    expect(only(fromStart(2.99), { picks: [pick()] }).status).to.equal('pending');
    const plain = only(fromStart(3), { picks: [pick()] });
    expect([plain.result, iso(plain.settledAt), plain.netUnitsE4]).to.deep.equal([
      'win',
      fromStart(3),
      10_000,
    ]);
    const told = { games: [game({ finalAt: fromStart(4) })], picks: [pick()] };
    expect(only(fromStart(3.9), told).status).to.equal('pending');
    expect(iso(only(LATER, told).settledAt)).to.equal(fromStart(4));
  });

  it('rounds net units to four decimals', () => {
    const net = (fields: Partial<PickRow>) => only(LATER, { picks: [pick(fields)] }).netUnitsE4;
    expect(net({ oddsAmerican: -110 })).to.equal(9091);
    expect(net({ oddsAmerican: 150, stakeUnits: 2.5 })).to.equal(37_500);
    expect(net({ oddsAmerican: -110, stakeUnits: 2.5, side: 'away' })).to.equal(-25_000);
  });

  it('voids a postponed game 48 hours after its announced start', () => {
    const rows = {
      games: [game({ status: 'postponed', homeScore: null, awayScore: null })],
      picks: [pick()],
    };
    expect(only(fromStart(47.99), rows).status).to.equal('pending');
    const settled = only(fromStart(48), rows);
    expect([settled.result, iso(settled.settledAt), settled.netUnitsE4]).to.deep.equal([
      'void',
      fromStart(48),
      0,
    ]);
  });

  it('grades a game that was moved and played, and shows the new start', () => {
    const rows = { games: [game({ movedTo: fromStart(24) })], picks: [pick()] };
    expect(only(fromStart(26.9), rows).status).to.equal('pending');
    const settled = only(fromStart(27), rows);
    expect([settled.result, iso(settled.settledAt), iso(settled.start)]).to.deep.equal([
      'win',
      fromStart(27),
      fromStart(24),
    ]);
  });

  it('voids a cancelled game, which never closes if it was called off before the start', () => {
    const cancelled: Partial<GameRow> = { status: 'cancelled', homeScore: null, awayScore: null };
    expect(only(LATER, { games: [game(cancelled)], picks: [pick()], lines: [line()] })).to.deep.include({
      result: 'void',
      settledAt: Date.parse(fromStart(3)),
    });
    const early = {
      games: [game({ ...cancelled, finalAt: fromStart(-0.5) })],
      picks: [pick()],
      lines: [line()],
    };
    expect(only(LATER, early)).to.deep.include({ result: 'void', closing: null });
  });

  it('separates the two games of a doubleheader', () => {
    const second = fromStart(4);
    const { picks } = stateAt(LATER, {
      games: [game(), game({ startsAt: second, homeScore: 1, awayScore: 2 })],
      lines: [line(), line({ startsAt: second, oddsAmerican: -200, capturedAt: fromStart(3) })],
      picks: [pick(), pick({ startsAt: second, postedAt: fromStart(-1) })],
    });
    expect(picks.map((one) => one.result)).to.deep.equal(['win', 'loss']);
    expect(picks.map((one) => one.closing?.oddsAmerican)).to.deep.equal([100, -200]);
  });

  it('takes the result of another market from its result row', () => {
    const prop = { market: 'first_touchdown', subject: 'Rory Finch', side: 'yes', line: null };
    const { sport, game: name, startsAt } = game();
    const rows = {
      picks: [pick(prop)],
      results: [{ sport, game: name, startsAt: startsAt!, ...prop, result: 'win' as const }],
    };
    expect(only(LATER, rows).result).to.equal('win');
    const other = pick({ ...prop, subject: 'Ada Lovelace' });
    expect(only(LATER, { ...rows, picks: [other] }).status).to.equal('pending');
    expect(only(LATER, { picks: [pick(prop)] }).status).to.equal('pending');
  });
});

describe('naive identity', () => {
  it('makes version 5 UUIDs (RFC 9562, A.4)', () => {
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(uuidV5(dns, 'www.example.com')).to.equal('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('names an import by all its fields in canonical order', () => {
    expect(importName(pick({ line: -3.5, stakeUnits: 0.5 }))).to.equal(
      '{"book":"acme","capperHandle":"ann","game":"Otters @ Herons","line_e3":-3500,"market":"moneyline",' +
        '"oddsAmerican":100,"pick":"Herons","postedAt":"2021-01-10T15:00:00.000Z","side":"home","source":null,' +
        '"sport":"nfl","stake_e4":5000,"startsAt":"2021-01-10T17:00:00.000Z"}',
    );
  });

  it('recognizes a pick by its body', () => {
    const state = stateAt(START, { picks: [pick({ capperHandle: 'Ann', stakeUnits: 0.1 })], cappers: [] });
    const keys: string[] = [];
    const idOf = (key: string) => ({ uuid: String(keys.push(key)), id: 1 });
    const ids = { idOf, capperIdOf: () => 1, gameIdOf: () => 1 };
    stateAt(START, { picks: [pick({ capperHandle: 'Ann', stakeUnits: 0.1 })] }, { ids });
    expect(pickKey(pickBody(state, state.picks[0]!))).to.equal(keys[0]);
  });

  it('reports differences, and none for additional fields', () => {
    expect(differences({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }], d: 3 })).to.deep.equal([]);
    expect(differences({ a: [{ b: 1 }], e: null }, { a: [{ b: 2 }, {}] })).to.deep.equal([
      '$.a.length: expected 1, got 2',
      '$.a[0].b: expected 1, got 2',
      '$.e: expected null, got undefined',
    ]);
  });
});
