import { expect } from 'chai';
import { findings } from './words.ts';

const phrases = (text: string) => findings(text).map(({ phrase }) => phrase);

describe('the house rules for wording', () => {
  it('find each habit, with its line, even across a line break', () => {
    expect(findings('One.\n\nThe JSON alone rests on\nthis.')).to.deep.equal([
      { line: 3, phrase: 'alone', instead: 'only' },
      { line: 3, phrase: 'rests on', instead: 'depends on' },
    ]);
    expect(findings('It signs in\nplace of the key.')).to.have.lengthOf(1);
    for (const bad of [
      'What costs much waits in one queue.',
      'It signs in place of the key.',
      'Alone the log is true.',
      'A tag stands for a body.',
      'The worker is told the size.',
      'A lane is looked at again.',
      'A capper who has so many picks.',
      'A capper that there is not.',
      'It reconnects by itself.',
      'Sealing goes on.',
      'All checks are well.',
      'The link is kept for ever.',
      'All, save for one.',
      'It used to take 8 ms.',
      'The behaviour of a favourite.',
      'The name is normalised.',
    ])
      expect(findings(bad), bad).not.to.deep.equal([]);
  });

  it('accept plain sentences and questions', () => {
    for (const good of [
      'What is hashed, and what does a receipt prove?',
      'Where to write the log: a folder or a bucket.',
      'Leave it alone.',
      'The board names the tags its body depends on.',
      'A lease is the right to work on something.',
    ])
      expect(phrases(good), good).to.deep.equal([]);
  });

  it('let a text of a program begin with a noun clause, as titles do', () => {
    const title = 'What each figure means.';
    expect(findings(title, 'text')).to.deep.equal([]);
    expect(findings(title, 'comment')).to.have.lengthOf(1);
    expect(findings(`Done. ${title}`, 'text')).to.have.lengthOf(1);
  });

  it('ignore code', () => {
    expect(phrases('Set `alone in place of` to 1.\n\n```sh\nstands for\n```\n')).to.deep.equal([]);
  });
});
