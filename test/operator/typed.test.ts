import { expect } from 'chai';
import fc from 'fast-check';
import { instantCell } from '../../src/intake/cells.ts';
import { game } from '../../src/intake/game.ts';
import { pick } from '../../src/intake/pick.ts';
import { result } from '../../src/intake/result.ts';
import { stats } from '../../src/intake/stats.ts';
import { cellText, type FormKind, inputOf } from '../../src/operator/form.ts';
import { lineTyped, oddsTyped, stakeTyped, type Typed } from '../../src/rules/typed-numbers.ts';

/** Returns the value that a text means, the texts of its choices, or `fault`. */
function meaning<T>(typed: Typed<T>): T | string[] | 'fault' {
  if ('value' in typed) return typed.value;
  return 'choices' in typed ? typed.choices.map(({ text }) => text) : 'fault';
}

describe('text typed on the operator’s page', () => {
  it('is read as odds in any format, and offers a choice where two formats fit', () => {
    const texts = ['-110', '+150', '1.91', '1,91', '10/11', 'even', '5', '150', '1,909', '−105', '50/', 'x'];
    expect(texts.map((text) => meaning(oddsTyped(text)))).to.deep.equal([
      ...[-110, 150, -110, -110, -110, 100, 400],
      ...[['+150', '+14900'], ['+1909', '-110'], -105, 'fault', 'fault'],
    ]);
  });

  it('is read as a stake or a line', () => {
    expect(
      ['2', '2u', '1.5 units', '0', '100.5', '0.005'].map((text) => meaning(stakeTyped(text))),
    ).to.deep.equal([...[2, 2, 1.5], ...['fault', 'fault', 'fault']]);
    expect(['-3.5', '+7', '41½', 'PK', '3.3', '99999'].map((text) => meaning(lineTyped(text)))).to.deep.equal(
      [...[-3.5, 7, 41.5, 0], ...['fault', 'fault']],
    );
  });

  it('is read as the field of any kind of row, as a cell of a file is', () => {
    const typed = (kind: FormKind, name: string, texts: readonly string[]) =>
      texts.map((text) => meaning(inputOf(kind, name).read!(text) as Typed<unknown>));
    expect(typed(pick, 'book', ['DK', 'Bet 365', 'My Book', 'my-book', "Al's"])).to.deep.equal([
      ...['draftkings', 'bet365', 'my_book', 'my-book', 'al_s'],
    ]);
    expect(typed(pick, 'stakeUnits', ['2', '2u', '1.5 units', '1,909'])).to.deep.equal([2, 2, 1.5, '1,909']);
    expect(typed(pick, 'line', ['-3.5', '41½', 'PK'])).to.deep.equal([-3.5, 41.5, 0]);
    expect(typed(pick, 'oddsAmerican', ['1.91', '150'])).to.deep.equal([-110, ['+150', '+14900']]);
    expect(typed(stats, 'points', ['21', '-3', 'many'])).to.deep.equal([21, -3, 'many']);
    expect(typed(result, 'half', ['yes', 'no'])).to.deep.equal([true, false]);
    expect(typed(game, 'sets', ['6-4 7-6(4)'])).to.deep.equal([
      [
        [6, 4],
        [7, 6],
      ],
    ]);
  });

  it('is read as a start in its zone or in Eastern time, and kept where clocks skip or repeat it', () => {
    const start = (text: string) => cellText(text, instantCell, { zone: 'America/New_York' });
    expect(start('2026-11-27 19:00')).to.equal('2026-11-28T00:00:00Z');
    expect(start('Nov 27, 2026 7pm')).to.equal('2026-11-28T00:00:00Z');
    expect(start('2026-11-27 19:00 CT')).to.equal('2026-11-28T01:00:00Z');
    expect(start('2026-11-27 19:00 UTC')).to.equal('2026-11-27T19:00:00Z');
    for (const text of [
      '2026-02-30 19:00',
      '2026-11-27 25:00',
      '2026-11-01 01:30',
      '2026-03-08 02:30',
      'soon',
    ])
      expect(start(text)).to.equal(text);
  });

  it('never throws, and offers only choices with a single meaning', () => {
    const readers = [oddsTyped, stakeTyped, lineTyped] as ((text: string) => Typed<unknown>)[];
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9 /:,.+a-z-]{0,20}$/));
    fc.assert(
      fc.property(fc.constantFrom(...readers), text, (read, typed) => {
        const meant = read(typed);
        if ('choices' in meant)
          for (const choice of meant.choices) expect(read(choice.text)).to.have.property('value');
      }),
    );
  });
});
