import { expect } from 'chai';
import fc from 'fast-check';
import { playerNamed, severalPlayers, subjectForm } from '../../../src/games/names/players.ts';

const none = new Map<string, string>();

function found(name: string, players: readonly string[], aliases = none): string | null | undefined {
  const player = playerNamed(
    name,
    players.map((each) => ({ names: [each] })),
    aliases,
  );
  return player === severalPlayers ? null : player?.names[0];
}

describe('the names of players', () => {
  it('have one form without case, accents, punctuation, and spaces', () => {
    for (const [one, other] of [
      ['Nikolo Jokáč', 'nikolo jokac'],
      ["De'Ander O'Fox", 'DeAnder O’Fox'],
      ['Jaxon Smith-Njobu', 'Jaxon Smith Njobu'],
      ['P.J. Tuck', 'PJ Tuck'],
      ['P. J. Tuck', 'P.J. Tuck'],
      ['Amon St. Green', 'Amon St Green'],
      ['Łukasz Øst', 'Lukasz Ost'],
    ] as const)
      expect(subjectForm(one)).to.equal(subjectForm(other));
    expect(subjectForm('2.5 goals')).not.to.equal(subjectForm('25 goals'));
    expect(subjectForm('1 2')).not.to.equal(subjectForm('12'));
    expect(subjectForm('-3')).not.to.equal(subjectForm('+3'));
    expect(subjectForm('?')).to.equal('?');
  });

  it('match with and without a suffix if only one player fits', () => {
    expect(found('Marvin Harrow', ['Marvin Harrow Jr.', 'Ada Cole'])).to.equal('Marvin Harrow Jr.');
    expect(found('Marvin Harrow, Jr', ['Marvin Harrow'])).to.equal('Marvin Harrow');
    expect(found('Gary Pay II', ['Gary Pay', 'Gary Pay II'])).to.equal('Gary Pay II');
    expect(found('Ken Grif Jr.', ['Ken Grif Sr.'])).to.equal(undefined);
    expect(found('Ken Grif', ['Ken Grif Sr.', 'Ken Grif Jr.'])).to.equal(null);
  });

  it('are never guessed', () => {
    expect(found('J. Cole', ['Jonah Cole'])).to.equal(undefined);
    expect(found('Jon Cole', ['Jonathan Cole', 'John Cole'])).to.equal(undefined);
    expect(found('Josh Allan', ['Josh Allan', 'Josh Allan'])).to.equal(null);
  });

  it('match by alias, in both directions', () => {
    const aliases = new Map([[subjectForm('Bones Highland'), subjectForm("Nah'Sean Highland")]]);
    expect(found('Bones Highland', ["Nah'Sean Highland", 'Ada Cole'], aliases)).to.equal("Nah'Sean Highland");
    expect(found('Nah’Sean Highland', ['Bones Highland'], aliases)).to.equal('Bones Highland');
  });

  it('match themselves in any case, and only themselves', () => {
    const name = fc
      .array(fc.stringMatching(/^[A-Z][a-zéüñ]{1,8}$/), { minLength: 2, maxLength: 3 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(found(one.toUpperCase(), [one])).to.equal(one);
        if (subjectForm(one) !== subjectForm(other)) expect(found(one, [other])).to.equal(undefined);
      }),
    );
  });
});
