import { expect } from 'chai';
import fc from 'fast-check';
import { xmlText } from '../../src/boards/formats/safe-text.ts';
import { type Html, html, htmlText } from '../../src/pages/html.ts';
import { hostileTexts } from '../boards/formats/example-picks.ts';
import { readXml } from '../boards/formats/read-xml.ts';
import { codePoint } from '../support/code-point.ts';

describe('the HTML template', () => {
  it('escapes text, joins lists, and omits absent values', () => {
    const piece = html`<p class="${'"x"'}">${['<a>', html`<b>${'&'}</b>`, 1, 0]}${null}${undefined}${false}</p>`;
    expect(htmlText(piece)).to.equal('<p class="&quot;x&quot;">&lt;a&gt;<b>&amp;</b>10</p>');
  });

  it('treats nothing as HTML that it did not make', () => {
    const forged = JSON.parse('{"markup":"<script>","html":"<script>"}') as Html;
    expect(htmlText(html`${forged}`)).not.to.contain('<script>');
  });

  for (const text of hostileTexts)
    it(`shows ${JSON.stringify(text.slice(0, 40))} literally`, () => {
      const element = readXml(htmlText(html`<p title="${text}">${text}</p>`));
      expect(element.text).to.equal(xmlText(text));
      expect(element.children).to.have.lengthOf(0);
    });

  it('shows any Unicode text literally', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(readXml(htmlText(html`<p>${text}</p>`)).text).to.equal(xmlText(text));
      }),
    );
  });
});
