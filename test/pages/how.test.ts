import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { explanations } from '../../src/pages/how/explanations.ts';
import { html, htmlText } from '../../src/pages/html.ts';
import { bettingTerms } from '../../src/pages/rules/pages.ts';

describe('the explanation of the figures', () => {
  it('has a rule for each figure, even without an example to show', () => {
    for (const { rule, example } of explanations({ capper: undefined, pick: undefined, group: undefined })) {
      expect(htmlText(rule)).to.match(/^<p>.{40}/);
      expect(example).to.equal(undefined);
    }
  });

  it('shows the words of betting of the glossary, each linked to its rule', () => {
    const terms = bettingTerms();
    const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
    for (const { term, meaning, rule } of terms) {
      expect(glossary).to.include(`| ${term} |`);
      expect(htmlText(html`${meaning}`), term).to.match(/.{15}\.$/);
      expect(htmlText(html`${rule}`), term).to.match(/^<a href="\/rules\/[a-z-]+(#[a-z-]+)?">/);
    }
    expect(terms.map(({ term }) => term)).to.include.members(['CLV', 'edge', 'no-vig', 'Wilson', 'unit']);
  });
});
