import { expect } from 'chai';
import { loggedUrl, requestIds } from '../../src/http/transport/access-log.ts';

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

describe('the id of a request', () => {
  it('is a new one for every request', () => {
    const idOf = requestIds(0);
    expect(idOf(undefined)).to.match(/^[0-9a-f-]{36}$/);
    expect(idOf(undefined)).not.to.equal(idOf(undefined));
  });

  it('is not taken from a stranger', () => {
    expect(requestIds(0)('given-by-a-client')).not.to.equal('given-by-a-client');
  });

  it('is taken from a proxy of ours', () => {
    expect(requestIds(1)('given-by-our-proxy')).to.equal('given-by-our-proxy');
  });

  for (const odd of ['short', 'x'.repeat(65), 'with space in it', 'line\nbreak-in-it'])
    it(`is not taken from a proxy when it is odd: ${JSON.stringify(odd.slice(0, 20))}`, () => {
      expect(requestIds(1)(odd)).not.to.equal(odd);
    });
});
