import { expect } from 'chai';
import { inWordsOf } from '../../../src/games/names/opponents.ts';
import { teamsOf } from '../../../src/games/names/teams.ts';

const read = (title: string) => {
  const [away, home] = title.split(' @ ') as [string, string];
  return { away, home };
};

describe('the opponents of an event', () => {
  for (const [sport, event, title, words] of [
    ['nfl', 'TB @ DAL', 'Tampa Bay Buccaneers @ Dallas Cowboys', 'TB @ DAL'],
    ['nfl', 'DAL @ TB', 'Tampa Bay Buccaneers @ Dallas Cowboys', 'DAL @ TB'],
    ['soccer', 'Ivory Coast @ Curacao', "Curaçao @ Côte d'Ivoire", 'Ivory Coast @ Curacao'],
    ['soccer', 'Gulls FK @ Foxes', 'Gulls @ Foxes', 'Gulls FK @ Foxes'],
    ['soccer', 'Gulls Harbor @ Foxes', 'Foxes @ Gulls', 'Gulls @ Foxes'],
    ['soccer', 'Gulls (W) @ Foxes (W)', 'Gulls Women @ Foxes Women', 'Gulls (W) @ Foxes (W)'],
    ['mma', 'Gull Ada @ Bea Fox', 'Ada Gull @ Bea Fox', 'Gull Ada @ Bea Fox'],
    ['mma', 'Bea Fox Jr. @ A. Gull', 'Ada Gull @ Bea Fox', 'Bea Fox @ Ada Gull'],
    ['mma', 'Ada Maria Gull @ Bea Fox', 'Ada Gull @ Fox', 'Ada Gull @ Fox'],
    ['tennis', 'Ada Seegull @ Bea Fox', 'Ada Seagull @ Bea Fox', 'Ada Seagull @ Bea Fox'],
  ] as const)
    it(`match under other names: ${event} (${sport})`, () => {
      expect(inWordsOf(read(event), title, teamsOf(sport))).to.deep.equal(read(words));
    });

  for (const [sport, event, title] of [
    ['nfl', 'TB @ DAL', 'Tampa Bay Buccaneers @ New York Giants'],
    ['soccer', 'Gambia @ Togo', 'Zambia @ Togo'],
    ['soccer', 'Gulls (W) @ Foxes (W)', 'Gulls @ Foxes'],
    ['soccer', 'Guinea @ Togo', 'Guinea-Bissau @ Togo'],
    ['soccer', 'Otters @ Foxes', 'Gulls @ Foxes'],
    ['soccer', 'Gulls Women @ Foxes', 'Gulls @ Foxes'],
    ['soccer', 'Gulls U21 @ Foxes', 'Gulls @ Foxes'],
    ['ncaab', 'Michigan @ Duke', 'Michigan State @ Duke'],
    ['mma', 'Cleo Gull @ Bea Fox', 'Ada Gull @ Bea Fox'],
    ['mma', 'Ada Hart @ Bea Fox', 'Ada Gull @ Bea Fox'],
    ['mma', 'Ada Gull @ Ada Gull', 'Ada Gull @ Bea Fox'],
  ] as const)
    it(`differ: ${event}, not ${title} (${sport})`, () => {
      expect(inWordsOf(read(event), title, teamsOf(sport))).to.equal(undefined);
    });

  it("match by an operator's alias", () => {
    const teams = teamsOf('soccer', [{ alias: 'harbor', team: 'gulls' }]);
    expect(inWordsOf(read('Harbor @ Foxes'), 'Gulls @ Foxes', teams)).to.deep.equal(read('Harbor @ Foxes'));
  });
});
