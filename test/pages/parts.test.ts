import { expect } from 'chai';
import fc from 'fast-check';
import type { PublicPick } from '../../src/boards/pick.ts';
import { html, htmlText, jsonLd } from '../../src/pages/html.ts';
import { layout } from '../../src/pages/layout.ts';
import { capperPath } from '../../src/pages/parts/capper.ts';
import { pathWith } from '../../src/pages/parts/filters.ts';
import { pickList } from '../../src/pages/parts/pick-list.ts';
import { shareLinks } from '../../src/pages/parts/share-links.ts';
import { examplePick } from '../boards/formats/example-picks.ts';
import { codePoint } from '../support/code-point.ts';
import { testConfig } from '../support/config.ts';

describe('structured data', () => {
  it('repeats its input, and nothing in it can close its element', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }),
        fc.constantFrom('</script>', '<!--', '<script', ']]>', '\u2028'),
        (text, end) => {
          const written = htmlText(jsonLd({ name: text + end }));
          const [, json = ''] =
            /^<script type="application\/ld\+json">(.*)<\/script>\n$/s.exec(written) ?? [];
          expect(json).not.to.match(/[<>&\u2028\u2029]/);
          expect(JSON.parse(json).name).to.equal(text + end);
        },
      ),
    );
  });
});

describe('the list of picks', () => {
  const seen = {
    oddsAmerican: -120,
    book: 'north',
    capturedAt: '2024-10-06T11:59:00.000Z',
    provisional: false,
    countedAmerican: -120,
  };
  const listed = (priceCheck: PublicPick['priceCheck']) =>
    htmlText(pickList([examplePick({ priceCheck })], Date.parse('2024-10-06T12:00:00Z')));

  it('strikes through odds above the market, beside those that count', () => {
    const text = listed({ verdict: 'above_market', ...seen });
    expect(text).to.match(/<s [^>]*>.*110.*<\/s>.*counted at −120/);
    expect(text).not.to.contain('not counted');
  });

  it('marks picks without a price, and no others', () => {
    const none = {
      oddsAmerican: null,
      book: null,
      capturedAt: null,
      provisional: true,
      countedAmerican: null,
    };
    expect(listed({ verdict: 'unseen', ...none }))
      .to.contain('no odds to compare with so far')
      .and.not.contain('<s ');
    for (const check of [
      null,
      { verdict: 'unchecked', ...none },
      { verdict: 'available', ...seen, countedAmerican: -110 },
    ] as const)
      expect(listed(check)).not.to.contain('not counted');
  });
});

describe('the layout', () => {
  const body = html`<h1>x</h1>`;
  const page = { title: 'T', about: 'A', path: '/t', body };

  it('takes the help line from the settings', () => {
    const { site } = testConfig({ HELP_LINE: 'Help <us> 0808 8020 133' });
    expect(layout(page, site)).to.contain('href="tel:0808-8020-133">Help &lt;us&gt; 0808 8020 133</a>');
  });

  it('says on every page if the ledger is made up', () => {
    expect(layout(page, testConfig({ DEMO: '1' }).site)).to.contain('made up');
    expect(layout(page, testConfig().site)).not.to.contain('made up');
  });

  it('marks the current section, and keeps pages without an address out of search engines', () => {
    const { site } = testConfig();
    expect(layout({ ...page, under: '/sharp' }, site)).to.contain('href="/sharp" aria-current="page"');
    expect(layout({ title: 'T', about: 'A', body }, site))
      .to.contain('noindex')
      .and.not.to.contain('canonical');
  });
});

describe('share links', () => {
  it('pass on the permalink and the text, each encoded for its target', () => {
    const text = htmlText(shareLinks('https://picks.example/p/1', `Rays & "Owls" +3 #1 \uD83D`));
    expect(text.match(/<a /g)).to.have.lengthOf(5);
    expect(text).to.contain('text=Rays%20%26%20%22Owls%22%20%2B3%20%231%20%EF%BF%BD');
    expect(text).to.contain('url=https%3A%2F%2Fpicks.example%2Fp%2F1');
    expect(text).to.contain('href="mailto:?subject=Rays%20%26');
    expect(text).not.to.match(/<script|<img|<iframe/);
  });
});

describe('paths', () => {
  it('contain the parameters that have a value', () => {
    expect(pathWith('/sharp', { sport: undefined })).to.equal('/sharp');
    expect(pathWith('/x', { by: 'clv', sport: undefined, tier: 'a&b' })).to.equal('/x?by=clv&tier=a%26b');
    expect(capperPath('a/b')).to.equal('/c/a%2Fb');
  });
});
