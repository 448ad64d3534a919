import { expect } from 'chai';
import { loggedUrl, requestIds } from '../../src/http/transport/access-log.ts';

describe('URLs in the log', () => {
  it('are logged as requested', () => {
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

  it('are truncated', () => {
    expect(loggedUrl(`/x?${'y'.repeat(5000)}`)).to.have.lengthOf(500);
  });
});

describe('the id of a request', () => {
  it('is new for every request', () => {
    const idOf = requestIds(0);
    expect(idOf(undefined)).to.match(/^[0-9a-f-]{36}$/);
    expect(idOf(undefined)).not.to.equal(idOf(undefined));
  });

  it('is not accepted from a stranger', () => {
    expect(requestIds(0)('given-by-a-client')).not.to.equal('given-by-a-client');
  });

  it('is accepted from a trusted proxy', () => {
    expect(requestIds(1)('given-by-our-proxy')).to.equal('given-by-our-proxy');
  });

  for (const odd of ['short', 'x'.repeat(65), 'with space in it', 'line\nbreak-in-it'])
    it(`is not accepted from a proxy if malformed: ${JSON.stringify(odd.slice(0, 20))}`, () => {
      expect(requestIds(1)(odd)).not.to.equal(odd);
    });
});
