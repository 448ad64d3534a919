import { expect } from 'chai';
import {
  postedSubjectFault,
  subjectName,
  subjectTextFault,
  textFault,
} from '../../src/rules/posted-words.ts';

describe('the text of a pick', () => {
  for (const text of [
    'Foxes -3.5',
    "St. Louis ML, 2.5u @ -110 (J.T.'s best)",
    'BOS @LAL o221.5',
    'Über 2,5 Tore',
    'ながい 45.5',
    'Gulls 🏈 ✔️ 👨‍👩‍👧',
    'Nº. 9 to score 1st',
  ])
    it(`may be ${text}`, () => expect(textFault(text)).to.equal(undefined));

  for (const [text, why] of [
    ['Foxes -3.5 at https://evil.example', /address/],
    ['join www.picks.example', /address/],
    ['more at best-picks.com/vip', /address/],
    ['t.me or discord.gg/abc', /address/],
    ['Gulls +3.5 t.me/evil', /address/],
    ['Gulls +3.5 X.com/evil', /address/],
    ['me@mail.example wins', /address/],
    ['see 10.0.0.1', /address/],
    ['@everyone Foxes -3.5', /mention/],
    ['＠everyone Foxes', /mention/],
    ['<@123456> Foxes', /mention/],
    ['<!channel> Foxes', /mention/],
    ['Foxes\u200b -3.5', /invisible/],
    ['Foxes\u00ad -3.5', /invisible/],
    ['Foxes\ue000', /private-use/],
    ['\u3164', /invisible/],
    ['\u{e0041}Foxes', /invisible/],
  ] as const)
    it(`cannot be ${JSON.stringify(text)}`, () => expect(textFault(text)).to.match(why));
});

describe('a subject', () => {
  for (const name of [
    "Ja'Marr O’Neil-Fox Jr.",
    'Luka Dončić',
    '大谷 翔平',
    'Иван Петров',
    'Unit 2',
    'Nguyễn Văn A',
  ])
    it(`may be ${name}`, () => expect(subjectTextFault(name)).to.equal(undefined));
  for (const name of [
    ...['A', 'x'.repeat(61), 'Ada <b>', 'Will it rain?', 'Ada Соlе', '12.5', 'Ada\u200bCole', 'Ada 🏈 Cole'],
    ...['A.d.a C.o.l.e', 'A-d-a C-o-l-e', 'A d a C o l e', 'Ada..Cole', 'Ada -Cole', "''Ada", 'ᴀda Cole'],
    ...['A\u0308d\u0308a C\u0308ol\u0308e', 'Ada\u0301\u0301\u0301', 'Асе Соре'],
  ])
    it(`cannot be ${JSON.stringify(name)}`, () => expect(subjectTextFault(name)).to.match(/^a subject has/));

  for (const [written, name] of [
    ['ada lovelace', 'Ada Lovelace'],
    ['aDA lOVELACE', 'Ada Lovelace'],
    ['ADA VAN DYKE III', 'Ada Van Dyke III'],
    ['Ada van Dyke', 'Ada van Dyke'],
    ["Ja’Marr  O'Neil–McFinch jr.", "Ja'Marr O'Neil-McFinch Jr."],
    ['JJ COLE', 'JJ Cole'],
    ['CeeDee LaMcAr', 'CeeDee Lamcar'],
    ['𝐀𝐝𝐚 Ｃｏｌｅ', 'Ada Cole'],
    ['Luka Dončić', 'Luka Dončić'],
    ['大谷 翔平', '大谷 翔平'],
  ] as const)
    it(`written ${written} first is named ${name}`, () => {
      expect(subjectName(written, true)).to.equal(name);
      expect(subjectName(name, true)).to.equal(name);
    });
  it('that is no player keeps its small words and abbreviations', () => {
    for (const name of ['First to score', 'LAFC', 'EuroLeague MVP', 'over 2.5'])
      expect(subjectName(name, false)).to.equal(name);
    expect(subjectName('fOXES', false)).to.equal('Foxes');
  });

  it('of a market about a player is neither the game nor a team', () => {
    const game = {
      sport: 'nfl',
      title: 'Harbor Gulls @ Copper Foxes',
      opponents: ['Harbor Gulls', 'Copper Foxes'],
    };
    const fault = (market: string, subject: string) => postedSubjectFault({ market, subject }, game);
    for (const subject of ['Copper Foxes', 'Foxes', 'harbor gulls'])
      expect(fault('player_receptions', subject), subject).to.match(/name the player/);
    expect(fault('player_receptions', 'Harbor Gulls @ Copper Foxes')).to.match(/letters/);
    expect(fault('player_receptions', 'Rory Finch')).to.equal(undefined);
    expect(fault('player_rush_longest', 'Foxes')).to.match(/name the player/);
    expect(fault('winning_margin', 'Harbor Gulls @ Copper Foxes')).to.equal(undefined);
    expect(fault('first_touchdown', 'Copper Foxes')).to.equal(undefined);
  });
});
