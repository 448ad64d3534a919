import { expect } from 'chai';
import { planned, short } from './planned.ts';

describe("a bookmaker's shorthand in a sheet", () => {
  const teams = { EPL: 'Arsenal,Everton', NBA: 'Boston Celtics,Miami Heat', 'ATP Rome': 'Ada Cole,Bea Dunn' };

  /** Expects each pick to be read as its bet, in a sheet with home, then away. */
  async function reads(league: keyof typeof teams, bets: Readonly<Record<string, string>>) {
    const rows = Object.keys(bets).map(
      (pick) => `2024-11-02 15:00,${league},${teams[league]},"${pick}",1.9,1`,
    );
    const plan = await planned(['Date,League,Home,Away,Pick,Odds,Stake', ...rows].join('\n'));
    expect(Object.fromEntries(plan.rows.map((row, at) => [Object.keys(bets)[at], short(row)]))).to.deep.equal(
      bets,
    );
  }

  /** Expects each market with its pick to be read as its bet. */
  async function readsCells(league: keyof typeof teams, bets: Readonly<Record<string, string>>) {
    const rows = Object.keys(bets).map((bet) => `2024-11-02 15:00,${league},${teams[league]},${bet},1.9,1`);
    const plan = await planned(['Date,League,Home,Away,Market,Pick,Odds,Stake', ...rows].join('\n'));
    expect(plan.rows.map(short)).to.deep.equal(Object.values(bets));
  }

  it('numbers the teams, home first', async () => {
    await reads('EPL', {
      'AH1(-0.5)': 'spread home -0.5',
      'AH 2 (+0.25)': 'spread away 0.25',
      'F2(0)': 'spread away 0',
      '1 (-1.5)': 'spread home -1.5',
      W2: 'moneyline away',
      DNB1: 'draw_no_bet home',
    });
    await reads('NBA', { ML2: 'moneyline away', '2 (+5.5)': 'spread away 5.5' });
    await reads('ATP Rome', { W2: 'moneyline away' });
  });

  it('may be Cyrillic', async () => {
    await reads('EPL', {
      П1: 'moneyline home',
      'Ф1(-1,5)': 'spread home -1.5',
      'ТБ(2.5)': 'total over 2.5',
      'ТМ 2.5': 'total under 2.5',
      '1Х': 'double_chance home_or_draw',
      Х: 'moneyline draw',
    });
  });

  it('writes a quarter line as its two neighbors', async () => {
    const bets = {
      'Asian Handicap,"Arsenal 0.0, -0.5"': 'spread home -0.25',
      'Asian Handicap,"Everton 0, +0.5"': 'spread away 0.25',
      'Goal Line,"Over 2.0, 2.5"': 'total over 2.25',
      'Goal Line,"Under 3, 3.5"': 'total under 3.25',
      'Goal Line,"Over 2,5"': 'total over 2.5',
    };
    await readsCells('EPL', bets);
  });

  it('puts an answer or a statistic before or after the player', async () => {
    const bets = {
      'Double Double,Bo Tanner No': 'player_double_double Bo Tanner no',
      'Double Double,Bo Tanner - Yes': 'player_double_double Bo Tanner yes',
      'Double Double,No: Bo Tanner': 'player_double_double Bo Tanner no',
      'Triple Double,Bo Tanner (No)': 'player_triple_double Bo Tanner no',
      'Player Assists - Bo Tanner,Over 4.5': 'player_assists Bo Tanner over 4.5',
      'Bo Tanner - Player Assists,Over 4.5': 'player_assists Bo Tanner over 4.5',
    };
    await readsCells('NBA', bets);
  });

  it('is refused where it can be another bet', async () => {
    const plan = await planned(
      ['1 (-1)', 'H1(-1.5)', 'AH1 5', 'P1'].reduce(
        (text, pick) => `${text}\n2024-11-02 15:00,EPL,Arsenal,Everton,"${pick}",1.9,1`,
        'Date,League,Home,Away,Pick,Odds,Stake',
      ),
    );
    for (const row of plan.rows) expect(short(row)).to.match(/^refused: /);
  });

  it('is refused where the winner can be that of regulation time', async () => {
    const rows = ['1', 'W1', 'П2'].map((pick) => `2024-11-02 15:00,NBA,${teams.NBA},${pick},1.9,1`);
    const plan = await planned(['Date,League,Home,Away,Pick,Odds,Stake', ...rows].join('\n'));
    for (const row of plan.rows) expect(short(row)).to.match(/^refused: /);
  });
});
