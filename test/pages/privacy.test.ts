import { expect } from 'chai';
import { fixedText } from '../../src/pages/page.ts';
import { privacyPage } from '../../src/pages/privacy.ts';
import { retention } from '../../src/webhooks/subscriptions/retention.ts';
import { baseUrl } from '../boards/formats/example-picks.ts';

const site = { baseUrl, helpLine: { name: '1-800-GAMBLER', number: '1-800-426-2537' }, demo: false };

describe('the privacy page', () => {
  const page = fixedText(privacyPage, site);

  it('lists all stored data as declared, with why, where, and how long', () => {
    const cell = (label: string) => `<td data-label="${label}">(.*)</td>`;
    const row = `<tr><th scope="row">(.*)</th>${cell('Why')}${cell('Where')}${cell('How long')}</tr>`;
    const rows = [...page.matchAll(new RegExp(row, 'g'))];
    expect(rows.map(([, what, why, where]) => ({ what, why, where }))).to.deep.equal(
      Object.values(retention).map(({ what, why, where }) => ({ what, why, where })),
    );
    expect(rows.map(([, , , , howLong]) => howLong)).to.deep.equal([
      '30 days after the subscription is deleted or disabled',
      '30 days after its push service refuses five messages in a row',
      '30 days after the attempt',
      '1 hour after the upload',
      '1 hour after the first request',
      'As long as the operator keeps logs',
    ]);
  });

  it('is linked in the footer of every page', () => {
    const [, foot] = page.split('<footer');
    expect(foot).to.contain('href="/privacy"');
  });
});
