import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { requestIds } from '../../src/http/request-id.ts';

const request = (id?: string) => ({ headers: { 'x-request-id': id } }) as unknown as IncomingMessage;

describe('the id of a request', () => {
  it('is a new one for every request', () => {
    const idOf = requestIds(0);
    expect(idOf(request())).to.match(/^[0-9a-f-]{36}$/);
    expect(idOf(request())).not.to.equal(idOf(request()));
  });

  it('is not taken from a stranger', () => {
    expect(requestIds(0)(request('given-by-a-client'))).not.to.equal('given-by-a-client');
  });

  it('is taken from a proxy of ours', () => {
    expect(requestIds(1)(request('given-by-our-proxy'))).to.equal('given-by-our-proxy');
  });

  for (const odd of ['short', 'x'.repeat(65), 'with space in it', 'line\nbreak-in-it'])
    it(`is not taken from a proxy when it is odd: ${JSON.stringify(odd.slice(0, 20))}`, () => {
      expect(requestIds(1)(request(odd))).not.to.equal(odd);
    });
});
