import { expect } from 'chai';
import { layout } from '../../src/pages/layout.ts';
import { subscribedPage, webhooksView } from '../../src/pages/webhooks/page.ts';
import { baseUrl, hostileTexts } from '../boards/formats/example-picks.ts';
import { scriptsBeside } from '../support/page-scripts.ts';

const site = { baseUrl, helpLine: { name: '1-800-GAMBLER', number: '1-800-426-2537' }, demo: false };

describe('the page about webhooks', () => {
  const filters = { cappers: ['ada', 'bea'], sports: [{ key: 'nba', label: 'NBA' }] };
  const shown = (form = {}) => layout(webhooksView(site, filters, form), site);
  const page = shown();

  it('says what receivers can rely on, how to verify, and how to manage a subscription', () => {
    for (const text of [
      '#/webhooks/deliverPickPosted',
      '#/webhooks/deliverPickSettled',
      '#/webhooks/deliverPing',
      'X-Service-Signature',
      'in the order of the log',
      'may receive one event twice, and never more than one',
      'up to 50 events',
      'failure in a row',
      'Retry-After',
      'if the old secret leaked',
      '/pause',
      '/resume',
      '/ping',
      '/attempts',
      'discord.com',
    ])
      expect(page).to.contain(text);
  });

  it('has a form whose every field has a label and an explanation', () => {
    const inputs = [
      ...page.matchAll(/<(?:input|select) id="(\w+)" name="(\w+)"[^>]* aria-describedby="([\w-]+)"/g),
    ];
    expect(inputs.map(([, , name]) => name)).to.deep.equal([
      'owner_email',
      'target_url',
      'capper_handle',
      'sport',
      'market',
      'tier',
      'team',
      'player',
      'event',
    ]);
    for (const [, id, , hint] of inputs)
      expect(page).to.contain(`<label for="${id}">`).and.to.contain(`id="${hint}"`);
    expect(page).to.contain('method="post" action="/webhooks#subscribe"');
  });

  it('offers cappers and sports to choose from, and shows the chosen ones', () => {
    expect(page)
      .to.contain('<option value="bea"></option>')
      .and.to.contain('<option value="nba">NBA</option>');
    const given = {
      sport: 'NBA',
      capper_handle: 'zoe',
      market: 'total',
      tier: 'elite',
      event: 'pick.settled',
    };
    const again = shown({ given });
    expect(again).to.contain('value="zoe"');
    for (const key of ['nba', 'total', 'elite', 'pick.settled'])
      expect(again).to.contain(`<option value="${key}" selected>`);
    const folds = (state: object) =>
      shown(state).match(/<details class="more"( open)?><summary>More filters/)?.[1];
    expect(folds({ given: { sport: 'nba' } })).to.equal(undefined);
    expect(folds({ given: { team: 'Foxes' } })).to.equal(' open');
    expect(folds({ faults: [{ path: '/player', message: 'is no player' }] })).to.equal(' open');
  });

  it('contains no inline script or style', () => {
    expect(scriptsBeside(page)).to.deep.equal([]);
    expect(page).not.to.match(/<style|\sstyle=|\son\w+=/);
  });

  for (const text of hostileTexts)
    it(`shows ${JSON.stringify(text.slice(0, 40))} only as the value of its field`, () => {
      const filters = Object.fromEntries(
        ['capper_handle', 'sport', 'market', 'tier', 'team', 'player', 'event'].map((name) => [name, text]),
      );
      const given = { owner_email: text, target_url: text, ...filters };
      const again = shown({
        given,
        refusal: text,
        faults: [{ path: '/sport', message: text }],
      });
      expect(scriptsBeside(again)).to.deep.equal([]);
      expect(again).not.to.match(/<img|onerror=[^&]/);
      expect(again.match(/<(input|select) id=/g)).to.have.lengthOf(9);
      expect(again).to.contain('aria-invalid="true"');
    });

  it('shows a secret on a page closed to search engines', () => {
    const subscribed = subscribedPage(
      { id: 7, secret: 'ab'.repeat(32), secret_whsec: 'whsec_abc', target_url: 'https://a.net/path' },
      site,
    );
    expect(subscribed).to.contain('ab'.repeat(32)).and.to.contain('noindex').and.to.contain('a.net');
    expect(subscribed).not.to.contain('/path');
  });
});
