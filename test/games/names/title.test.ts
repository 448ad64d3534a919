import { expect } from 'chai';
import fc from 'fast-check';
import { readFixture, readTitle } from '../../../src/games/names/title.ts';
import { latencyMs } from '../../support/patience.ts';

describe('the titles of games', () => {
  it('say who plays whom, and where, in several notations', () => {
    const gullsAtFoxes = { away: 'Gulls', home: 'Foxes' };
    for (const text of [
      'Gulls @ Foxes',
      'Gulls at Foxes',
      'Foxes vs Gulls',
      'Foxes vs. Gulls',
      'Foxes v Gulls',
      ' Gulls  AT Foxes ',
      'Foxes 2-1 Gulls',
    ])
      expect(readFixture(text), text).to.deep.equal(gullsAtFoxes);
    for (const text of ['', 'All-Star Break', 'Gulls@Foxes', 'Batters', ' @ ', 'Foxes - Gulls'])
      expect(readFixture(text), text).to.equal(undefined);
    for (const text of ['Foxes - Gulls', 'Foxes - Gulls (2-1)', '[Cup] Foxes - Gulls (1-1, 4-3 pens)'])
      expect(readFixture(text, 'soccer'), text).to.deep.equal(gullsAtFoxes);
    for (const text of ['Foxes - Gulls (Cup)', 'Some League', '(2-1)'])
      expect(readFixture(text), text).to.equal(undefined);
  });

  it('of other contests under the names of clubs are no games', () => {
    for (const [sport, text] of [
      ['nba', 'Summer League: Lakers @ Warriors'],
      ['nba', 'Lakers vs Warriors (Summer League)'],
      ['nba', 'G League: Lakers vs Warriors'],
      ['nba', 'NBA 2K League: Lakers vs Warriors'],
      ['soccer', 'eLeague: Leeds vs Wolves'],
      ['soccer', 'Simulated Reality: Leeds v Wolves'],
      ['soccer', 'Leeds SRL vs Wolves SRL'],
      ['soccer', 'Beach soccer: Spain v Brazil'],
      ['soccer', 'Leeds Futsal v Wolves Futsal'],
    ] as const)
      expect(readTitle(text, sport), text).to.deep.equal({ refused: 'another sport' });
    expect(readTitle('Resumed: Yankees @ Red Sox', 'mlb')).to.deep.equal({ refused: 'no game' });
    expect(readTitle('AL Wild Card 3 @ Red Sox', 'mlb')).to.deep.equal({ refused: 'opponent not known yet' });
    expect(readFixture('UEFA Youth League: Arsenal v Inter', 'soccer')).to.deep.equal({
      away: 'Inter Youth',
      home: 'Arsenal Youth',
    });
  });

  it('have names without the remarks of draws, cards, and results', () => {
    for (const text of ['Ada Finch (WC) vs Mila Korda (Q)', 'Ada "The Gull" Finch v Mila Korda (ret.)'])
      expect(readFixture(text, 'tennis'), text).to.deep.equal({ away: 'Mila Korda', home: 'Ada Finch' });
    for (const text of ['Foxes 1 (4) - (3) 1 Gulls', 'Foxes 2:1 n.V. Gulls', 'Foxes 2-1 aet Gulls'])
      expect(readFixture(text, 'soccer'), text).to.deep.equal({ away: 'Gulls', home: 'Foxes' });
    for (const remark of ['(void)', '- walkover'])
      expect(readTitle(`Foxes v Gulls ${remark}`, 'soccer'), remark).to.deep.include({
        away: 'Gulls',
        status: 'cancelled',
      });
  });

  it('keep punctuation that belongs to a name', () => {
    for (const [away, home] of [
      ['Miami (OH)', 'Wheaton (Mass.)'],
      ['Schalke 04', 'Hannover 96'],
      ['San Francisco 49ers', 'Philadelphia 76ers'],
      ["St. John's", 'Texas A&M'],
      ['FC St. Pauli', '1. FC Köln'],
      ['R. Castellan', 'B. Saint-Denis'],
      ['New York City FC', 'Inter Miami CF'],
    ])
      expect(readFixture(`${away} @ ${home}`)).to.deep.equal({ away, home });
  });

  it('are read with other signs and remarks between and after listed teams', () => {
    const chelseaAtArsenal = { away: 'Chelsea', home: 'Arsenal' };
    for (const text of [
      'Arsenal-Chelsea',
      'Arsenal / Chelsea',
      'Cup | Arsenal - Chelsea',
      'Cup: Arsenal:Chelsea',
    ])
      expect(readFixture(text, 'soccer'), text).to.deep.equal(chelseaAtArsenal);
    expect(readFixture('Gulls-Foxes', 'soccer')).to.equal(undefined);
    expect(readFixture('Arkansas-Pine Bluff', 'ncaab')).to.equal(undefined);
    expect(readFixture('Bears at Lions (Thanksgiving)', 'nfl')).to.deep.equal({
      away: 'Bears',
      home: 'Lions',
    });
    expect(readFixture('Duke at Union (KY)', 'ncaab')!.home).to.equal('Union (KY)');
    for (const text of ['Blackout vs Iowa', 'East All-Stars vs West All-Stars', 'Ticket renewal v deadline'])
      expect(readTitle(text, 'ncaaf'), text).to.deep.equal({ refused: 'names no two opponents' });
    expect(readTitle('Play-off Winner Path A v Mexico', 'soccer')).to.deep.equal({
      refused: 'opponent not known yet',
    });
  });

  describe("lose a feed's addition", () => {
    for (const text of [
      '[MLB] Gulls at Foxes [Check Listings]',
      '(Baseball) Gulls at Foxes',
      'Foxes v Gulls 2-1',
      'Foxes v Gulls (2-1)',
      'Foxes vs Gulls（2-1）',
      'Foxes 2-1 Gulls · Some League 3R',
      'Some League: Foxes 2-1 Gulls',
      'Foxes vs Gulls (AET 2:1)',
      'Gulls 3 @ Foxes 2',
      'Gulls at Foxes (W 4-2)',
      'Gulls at Foxes (F/OT)',
      'Gulls at Foxes 4-3 (F/6)',
      'Gulls at Foxes AET',
      'Gulls @ Foxes *Subject to flex scheduling',
      'Gulls (10-2) at Foxes (8-4)',
      'Week 1: Gulls at Foxes',
      'Round of 16: Gulls at Foxes',
      'Thursday Night Football: Gulls @ Foxes | Some Channel',
      'Gulls @ Foxes (Game 2)',
      'Gulls at Foxes - Game 2',
      'Game 7: Gulls at Foxes',
      'Gulls at Foxes (If Necessary)',
      'Gulls at Foxes - ESPN',
      'Some League - Foxes vs Gulls',
      'Foxes v Gulls, Some League',
      'Gulls at Foxes, 7:05 PM',
      'Gulls at Foxes 10:05 PM ET',
      '#5 Gulls at #12 Foxes',
      'No. 5 Gulls at No. 12 Foxes',
      '(5) Gulls at (12) Foxes',
      '🏈 Gulls at Foxes',
      'Foxes v Gulls (Some Cup Final)',
      'Foxes v Gulls (2nd leg)',
      'Gulls at Foxes (Neutral Site)',
      'Foxes against Gulls',
      'Foxes 🆚 Gulls',
      'Foxes v Gulls 🔴 LIVE',
      '15:00 Foxes v Gulls',
      'Foxes v Gulls KO 15:00',
      'Wk 12 Gulls @ Foxes',
      'WS Gm 7* Gulls @ Foxes',
      'Foxes x Gulls (Eliminatórias)',
      'Foxes v Gulls (A)',
      'TBC: Foxes v Gulls',
    ])
      it(text, () => {
        expect(readTitle(text)).to.include({ away: 'Gulls', home: 'Foxes' });
      });
  });

  for (const [text, status] of [
    ['APLAZADO Gulls @ Foxes', 'postponed'],
    ['SUSPENDIDO: Gulls @ Foxes', 'postponed'],
    ['Gulls at Foxes (Postponed)', 'postponed'],
    ['POSTPONED: Gulls at Foxes', 'postponed'],
    ['Gulls at Foxes - PPD', 'postponed'],
    ['[Postponed] Gulls at Foxes', 'postponed'],
    ['Gulls at Foxes (Canceled)', 'cancelled'],
    ['CANCELLED - Gulls at Foxes', 'cancelled'],
    ['P-P Gulls at Foxes', 'postponed'],
    ['Gulls at Foxes (P-P)', 'postponed'],
    ['Gulls at Foxes P-P', 'postponed'],
    ['Gulls at Foxes (postp.)', 'postponed'],
    ['Gulls at Foxes (verlegt)', 'postponed'],
    ['Gulls at Foxes (ABAN)', 'cancelled'],
    ['Gulls at Foxes (abgesagt)', 'cancelled'],
  ] as const)
    it(`say what became of the game: ${text}`, () => {
      expect(readTitle(text)).to.deep.equal({ away: 'Gulls', home: 'Foxes', status });
    });

  for (const [text, away, home] of [
    ['Gulls vs Foxes', 'Gulls', 'Foxes'],
    ['Some League: Gulls v Foxes', 'Gulls', 'Foxes'],
    ['Gulls 2-1 Foxes', 'Gulls', 'Foxes'],
    ['Gulls @ Foxes', 'Gulls', 'Foxes'],
  ] as const)
    it(`name the away team first if the feed does: ${text}`, () => {
      expect(readTitle(text, 'nfl', 'away first')).to.deep.equal({ away, home });
      const isSaid = text.includes('@');
      expect(readTitle(text, 'nfl', 'home first')).to.deep.equal(
        isSaid ? { away, home } : { away: home, home: away },
      );
      expect(readTitle(text)).to.deep.equal(
        isSaid ? { away, home } : { away: home, home: away, homeGuessed: true },
      );
    });

  for (const [sport, text, away, home] of [
    ['ncaab', "Foxes Men's Basketball vs Gulls", 'Gulls', 'Foxes'],
    ['ncaab', "[W] Foxes Men’s Basketball vs. Gulls Men's Basketball", 'Gulls', 'Foxes'],
    ['ncaab', "Gulls Men's Basketball at Foxes (Exh.)", 'Gulls', 'Foxes'],
    ['ncaaf', 'Foxes Football vs Gulls* (HC)', 'Gulls', 'Foxes'],
    ['nba', 'LIVE Gulls @ Foxes', 'Gulls', 'Foxes'],
    ['soccer', 'Matchday 5: Foxes - Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'Foxes Saint-Denis - Gulls', 'Gulls', 'Foxes Saint-Denis'],
    ['mma', 'Main Card: Ada Fox vs Bea Gull', 'Bea Gull', 'Ada Fox'],
    ['mma', 'Ada Fox vs Bea Gull at Harbor Arena', 'Bea Gull', 'Ada Fox'],
    ['soccer', 'Foxes x Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'Foxes gegen Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'Foxes contre Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'RESCHEDULED Foxes v Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'Leg 2: Foxes v Gulls (agg 1-2)', 'Gulls', 'Foxes'],
    ['soccer', 'Harbor Cup Final at Dune Park: Foxes v Gulls', 'Gulls', 'Foxes'],
    ['soccer', 'Foxes v Gulls (Women)', 'Gulls Women', 'Foxes Women'],
    ['soccer', "Women's League: Foxes v Gulls", 'Gulls Women', 'Foxes Women'],
    ['soccer', '[U19] Foxes - Gulls', 'Gulls U19', 'Foxes U19'],
    ['soccer', 'Foxes Women v Gulls', 'Gulls Women', 'Foxes Women'],
    ['ncaaf', 'Quarterfinal at the Dune Bowl Game: Foxes vs. Gulls', 'Gulls', 'Foxes'],
    ['ncaab', 'Foxes vs Gulls at Harbor Coliseum', 'Gulls', 'Foxes'],
    ['ncaaf', 'Bowling Green @ Gulls', 'Bowling Green', 'Gulls'],
    ['nba', 'Gulls @ Foxes (Game 7, if nec.)', 'Gulls', 'Foxes'],
    ['soccer', 'Foxes v Gulls (replay)', 'Gulls', 'Foxes'],
    ['nba', 'Lakers - Celtics', 'Celtics', 'Lakers'],
    ['nhl', 'Gulls @ Foxes in Harbor City', 'Gulls', 'Foxes'],
    ['mma', 'Preliminares y Estelar Ada Fox vs Bea Gull', 'Bea Gull', 'Ada Fox'],
  ] as const)
    it(`lose additions specific to ${sport}: ${text}`, () => {
      expect(readTitle(text, sport)).to.include({ away, home });
    });

  for (const [sport, text, refused] of [
    ['ncaab', "[W] Foxes Women's Basketball vs Gulls", 'another sport'],
    ['ncaab', "(Women's Basketball) Foxes vs. Gulls", 'another sport'],
    ['ncaab', "Foxes Men's Hockey vs Gulls", 'another sport'],
    ['ncaaf', "Foxes Men's Basketball vs Gulls", 'another sport'],
    ['ncaaf', 'Homecoming vs Gulls', 'names no two opponents'],
    ['ncaaf', 'Senior Night vs Gulls', 'names no two opponents'],
    ['ncaaf', 'Dune Bowl at Harbor City', 'names no two opponents'],
    ['nba', 'W 112-108 vs Gulls', 'names no two opponents'],
    ['nfl', 'AFC #1 vs AFC #2', 'opponent not known yet'],
    ['nfl', 'NFC #3 at NFC #2', 'opponent not known yet'],
    ['nba', 'East 1 vs East 8', 'opponent not known yet'],
    ['soccer', 'Sieger HF 1 - Sieger HF 2', 'opponent not known yet'],
    ['soccer', 'Match 41 - Match 42', 'opponent not known yet'],
    ['ncaab', "Men's Basketball vs. Gulls", 'names no two opponents'],
    ['ncaab', "Women's: Gulls vs Foxes", 'another sport'],
    ['ncaab', 'WBB: Gulls vs Foxes', 'another sport'],
    ['ncaab', 'W. Basketball: Gulls vs Foxes', 'another sport'],
    ['ncaab', 'Gulls vs Foxes (Women)', 'another sport'],
    ['ncaab', 'JV: Gulls vs Foxes', 'another sport'],
    ['ncaaf', 'Tailgate: Gulls vs Foxes', 'no game'],
    ['soccer', 'Legends: Gulls v Foxes', 'no game'],
    ['mlb', 'Gulls @ Foxes (completion of suspended game)', 'no game'],
    ['mlb', 'Gulls @ Foxes (resumption from 4/12)', 'no game'],
    ['mlb', 'Gates Open: Gulls vs Foxes', 'no game'],
    ['mlb', "Old-Timers' Day: Gulls vs Foxes", 'no game'],
    ['nhl', 'Rookie Game: Gulls vs Foxes', 'no game'],
    ['ncaaf', 'CFP Semifinal Winner 1 vs CFP Semifinal Winner 2', 'opponent not known yet'],
    ['mma', 'Preliminares y Estelar: Fox vs Gull', 'a card of several fights'],
    ['mma', 'Prelims - Fox vs Gull 2', 'a card of several fights'],
  ] as const)
    it(`are refused for ${text} (${sport})`, () => {
      expect(readTitle(text, sport)).to.deep.equal({ refused });
    });

  for (const [text, refused] of [
    ['TBD at Gulls', 'opponent not known yet'],
    ['Winner SF1 vs Winner SF2', 'opponent not known yet'],
    ['AFC Champion vs NFC Champion', 'opponent not known yet'],
    ['Foxes v TBC', 'opponent not known yet'],
    ['Group C 2nd Place v Gulls', 'opponent not known yet'],
    ['Semi-finalist 1 vs Semi-finalist 2', 'opponent not known yet'],
    ['? vs ?', 'opponent not known yet'],
    ['?? @ Gulls', 'opponent not known yet'],
    ['Foxes vs FC Foxes', 'opponent not known yet'],
    ['Media Day @ Arena', 'no game'],
    ['Open Practice @ Foxes', 'no game'],
    ['Bye Week', 'no game'],
    ['Entry Draft', 'no game'],
    ['UFC 320: Gull vs Fox 2', 'a card of several fights'],
    ['UFC Fight Night: Gull vs. Fox', 'a card of several fights'],
    ['Pregame: Gulls @ Foxes', 'no game'],
    ['Gulls @ Foxes Pregame Show', 'no game'],
    ['Foxes', 'names no two opponents'],
    ['vs Foxes', 'names no two opponents'],
  ] as const)
    it(`are refused for ${text}`, () => {
      expect(readTitle(text)).to.deep.equal({ refused });
    });

  it('say that the time is not known', () => {
    for (const text of [
      'Gulls @ Foxes (Time TBD)',
      'Gulls @ Foxes - TBD',
      'Gulls @ Foxes (TBA)',
      'Gulls @ Foxes | Kickoff: TBA',
      'Foxes vs Gulls - time to be announced',
    ])
      expect(readTitle(text), text).to.deep.include({ away: 'Gulls', home: 'Foxes', timeOpen: true });
    for (const text of ['Gulls @ Foxes', 'Gulls @ Foxes - TV: TBD', 'Gulls @ Foxes (venue TBD)'])
      expect(readTitle(text), text).to.not.have.property('timeOpen');
  });

  it('lose characters that an encoding error has damaged', () => {
    expect(readTitle('?? Gulls @ Foxes')).to.include({ away: 'Gulls', home: 'Foxes' });
  });

  it('are parsed idempotently, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const once = readFixture(text);
        if (once === undefined) return;
        expect(once.away).to.not.equal('');
        expect(once.home).to.not.equal('');
      }),
    );
  });

  it('are parsed in linear time', () => {
    for (const piece of ['(', '[x', ' - ', 'a ', '1 ', ' vs ', '(1', 'game ', '.', ': '])
      for (const length of [300, 100_000]) readTitle(`a${piece.repeat(length / piece.length - 1)}`);
  }).timeout(latencyMs(5_000));
});
