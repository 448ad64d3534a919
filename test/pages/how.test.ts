import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { explanations } from '../../src/pages/how/explanations.ts';
import { html, htmlText } from '../../src/pages/html.ts';
import { bettingTerms, leadOf } from '../../src/pages/rules/pages.ts';
import { breakEvenOf, shownDecimal } from '../../src/rules/odds.ts';
import { withServedLeague } from '../support/served-league.ts';

describe('the explanation of the figures', () => {
  const served = withServedLeague(Date.parse('2025-01-01T00:00:00Z'));

  it('has a rule for each figure, even without an example to show', () => {
    for (const { rule, example } of explanations({ capper: undefined, pick: undefined, group: undefined })) {
      expect(htmlText(rule)).to.match(/^<p>.{40}/);
      expect(example).to.equal(undefined);
    }
  });

  it('has no wording of its own: each section is the first paragraph of its rule, and an example', async () => {
    const page = await text('');
    for (const { heading, id, exact } of explanations({
      capper: undefined,
      pick: undefined,
      group: undefined,
    })) {
      const [, section = ''] = new RegExp(`<h2 id="${id}">([\\s\\S]*?)</section>`).exec(page) ?? [];
      const rest = section
        .replace(htmlText(leadOf(exact)), '')
        .replace(/<p class="worked">[\s\S]*?<\/p>/, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .trim();
      expect(rest.replaceAll(/\s+/g, ' '), heading).to.be.oneOf([heading, `${heading} Exact rule`]);
    }
  });

  it('shows the words of betting of the glossary, each linked to its rule', () => {
    const terms = bettingTerms();
    const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
    for (const { term, meaning, rule } of terms) {
      expect(glossary).to.include(`| ${term} |`);
      expect(htmlText(html`${meaning}`)).to.match(/.{10}/);
      expect(htmlText(html`${rule}`)).to.match(/^<a href="\/rules\//);
    }
    expect(terms.map(({ term }) => term)).to.include.members(['CLV', 'edge', 'no-vig', 'Wilson', 'unit']);
  });

  it('has examples whose figures follow from those beside them', async () => {
    const handles: string[] = await served.database.database('cappers').pluck('handle');
    const counts = new Map<string, number>();
    for (const handle of handles) {
      const page = await text(`?handle=${handle}`);
      for (const [, id = '', section = ''] of page.matchAll(/<h2 id="(\w+)">([\s\S]*?)<\/section>/g)) {
        const [, worked = ''] = /<p class="worked">([\s\S]*?)<\/p>/.exec(section) ?? [];
        const example = worked
          .replaceAll(/<[^>]*>/g, '')
          .replaceAll('−', '-')
          .replaceAll(/(\d),(?=\d{3})/g, '$1');
        for (const [equation, left = '', right = '', unit] of example.matchAll(
          /((?:[+-]?\d[\d.]*%?|[()×/+ -])+) = ([+-]?\d[\d.]*\d|\d)(%?)/g,
        )) {
          const scale = unit === '%' && !left.includes('%') ? 100 : 1;
          const { value, error } = computed(left.replaceAll('%', '').replaceAll('×', '*'));
          expect(value * scale, `${handle}, ${id}: ${equation}`).to.be.closeTo(
            Number(right),
            error * scale + halfDigit(right) + 1e-9,
          );
          counts.set(id, (counts.get(id) ?? 0) + 1);
        }
        const [, odds, decimal, even] =
          /taken at ([+-]\d+): .* = ([\d.]+)\. Break-even: .* = ([\d.]+)%/.exec(example) ?? [];
        if (odds === undefined) continue;
        expect(shownDecimal(Number(odds)).toFixed(4)).to.equal(decimal);
        expect((100 * breakEvenOf(Number(odds))).toFixed(2)).to.equal(even);
      }
    }
    expect([...counts.keys()]).to.include.members(['odds', 'record', 'price', 'units', 'clv', 'confidence']);
  });

  const text = async (query: string) => (await fetch(`${served.site.address}/how${query}`)).text();
});

/** Half of the last decimal of a shown number: the most that rounding has changed. Whole numbers are exact. */
const halfDigit = (shown: string) =>
  shown.includes('.') ? 0.5 * 10 ** -(shown.length - shown.indexOf('.') - 1) : 0;

/** Computes a sum with numbers, parentheses, and `+ - * /`, and how far rounding of its numbers may have moved it. */
function computed(sum: string): { value: number; error: number } {
  const tokens = sum.match(/\d[\d.]*|[-+*/()]/g) ?? [];
  const numbers = tokens.map((token) => (/\d/.test(token) ? Number(token) : token));
  const value = reduced([...numbers]);
  const moved = numbers.map((number, at) =>
    typeof number === 'string' ? value : reduced(numbers.with(at, number + halfDigit(tokens[at]!))),
  );
  return { value, error: moved.reduce((total, each) => total + Math.abs(each - value), 0) };
}

function reduced(tokens: (number | string)[]): number {
  const primary = (): number => {
    const token = tokens.shift();
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token !== '(') return Number(token);
    const value = terms();
    tokens.shift();
    return value;
  };
  const factors = (): number => {
    let value = primary();
    while (tokens[0] === '*' || tokens[0] === '/')
      value = tokens.shift() === '*' ? value * primary() : value / primary();
    return value;
  };
  const terms = (): number => {
    let value = factors();
    while (tokens[0] === '+' || tokens[0] === '-')
      value = tokens.shift() === '+' ? value + factors() : value - factors();
    return value;
  };
  return terms();
}
