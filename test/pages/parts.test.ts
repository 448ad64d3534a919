import { expect } from 'chai';
import fc from 'fast-check';
import type { PublicPick } from '../../src/boards/pick.ts';
import { exampleRequest } from '../../src/pages/docs/example.ts';
import { resolved, schemaTree, typeText } from '../../src/pages/docs/schema-tree.ts';
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

describe('schemas in the reference', () => {
  it('are described in words, with the fields of nested objects', () => {
    const schema = {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time', description: 'When <it> was.' },
        odds: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        kind: { const: 'W' },
        picks: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
      },
    };
    expect(Object.values(schema.properties).map(typeText)).to.deep.equal([
      'timestamp',
      'integer or null',
      '"W"',
      'list of objects',
    ]);
    const text = htmlText(schemaTree(schema));
    expect(text).to.contain('When &lt;it&gt; was.');
    expect(text.match(/<ul class="schema">/g)).to.have.lengthOf(2);
  });

  it('follow references, by the name of their target', () => {
    const { properties } = resolved({
      properties: {
        picks: { type: 'array', items: { $ref: '#/components/schemas/Pick' } },
        tier: { $ref: '#/components/schemas/Tier', description: 'Current tier.' },
      },
      components: {
        schemas: {
          Pick: { type: 'object', properties: { tier: { $ref: '#/components/schemas/Tier' } } },
          Tier: { enum: ['elite', 'listed'] },
        },
      },
    });
    expect(typeText(properties.picks)).to.equal('list of Pick');
    expect(typeText(properties.tier)).to.equal('"elite" or "listed"');
    const text = htmlText(schemaTree({ properties }));
    expect(text).to.contain('Current tier.');
    expect(text.match(/<ul class="schema"/g)).to.have.lengthOf(2);
  });
});

describe('named objects in the reference', () => {
  it('list their fields at their first occurrence', () => {
    const named = { title: 'Record', type: 'object', properties: { wins: { type: 'integer' } } };
    const text = htmlText(
      schemaTree({
        properties: { all: named, month: named, one: { type: 'object', properties: { own: named } } },
      }),
    );
    expect(text.match(/<code>wins<\/code>/g)).to.have.lengthOf(1);
    expect(text.match(/<span class="type">Record<\/span>/g)).to.have.lengthOf(3);
  });
});

describe('requests in the reference', () => {
  const parameter = (name: string, place: string, example?: string) => ({
    name,
    in: place,
    required: true,
    ...(example === undefined ? {} : { example }),
    schema: { type: 'string' },
  });
  const operation = { operationId: 'x', tags: [], summary: '', responses: {} };

  it('contain what an endpoint requires, with capitals as placeholders', () => {
    const get = {
      ...operation,
      parameters: [
        parameter('handle', 'path', 'a b'),
        parameter('email', 'query'),
        { ...parameter('sport', 'query', 'nfl'), required: false },
      ],
    };
    expect(
      exampleRequest({ method: 'GET', path: '/api/{handle}', operation: get }, 'https://picks.example'),
    ).to.equal("curl --compressed 'https://picks.example/api/a%20b?email=EMAIL'");
    const schema = {
      required: ['target_url'],
      properties: { target_url: { type: 'string' }, sport: { type: 'string' } },
    };
    const post = {
      ...operation,
      parameters: [parameter('id', 'path'), parameter('X-Webhook-Secret', 'header')],
      requestBody: { required: true, content: { 'application/json': { schema } } },
    };
    expect(
      exampleRequest({ method: 'POST', path: '/api/{id}', operation: post }, 'https://picks.example'),
    ).to.equal(
      `curl --compressed -X POST -H 'X-Webhook-Secret: SECRET' -H 'Content-Type: application/json' -d '{"target_url":"TARGET_URL"}' 'https://picks.example/api/ID'`,
    );
  });
});
