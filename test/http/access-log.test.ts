import { expect } from 'chai';
import { loggedUrl } from '../../src/http/access-log.ts';

describe('URLs in the log', () => {
  it('are logged as asked for', () => {
    expect(loggedUrl('/api/feed/settled?sport=nfl')).to.equal('/api/feed/settled?sport=nfl');
  });

  for (const url of [
    '/api/webhooks?email=a@b.example',
    '/api/webhooks/7/attempts?email=a@b.example',
    '/API/Webhooks?email=a@b.example',
    '/api/%77ebhooks?email=a@b.example',
    '/api/webhooks/%zz?email=a@b.example',
    'http://host/api/webhooks?email=a@b.example',
  ])
    it(`lose their query on the webhook endpoints: ${url}`, () => {
      expect(loggedUrl(url)).not.to.contain('example');
    });

  it('are cut short', () => {
    expect(loggedUrl(`/x?${'y'.repeat(5000)}`)).to.have.lengthOf(500);
  });
});
