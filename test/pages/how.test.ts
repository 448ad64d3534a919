import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { explanations } from '../../src/pages/how/explanations.ts';
import { terms } from '../../src/pages/how/terms.ts';
import { htmlText } from '../../src/pages/html.ts';

describe('the explanation of the figures', () => {
  it('has a rule for each figure, even without an example to show', () => {
    for (const { rule, example } of explanations({ capper: undefined, pick: undefined, group: undefined })) {
      expect(htmlText(rule)).to.match(/^<p>.{40}/);
      expect(example).to.equal(undefined);
    }
  });

  it('uses the words of the glossary', () => {
    const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
    const known = [...glossary.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, names = '']) => names.replace(/\(([^)]+)\)/, ', $1').split(/, /))
      .map((name) => name.trim());
    expect(terms.map(([term]) => term).filter((term) => !known.includes(term))).to.deep.equal([]);
  });
});
