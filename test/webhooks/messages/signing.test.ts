import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { deliveryHeaders, type Signed } from '../../../src/webhooks/messages/messages.ts';

const secret = '0123456789abcdef'.repeat(4);
const previousSecret = 'fedcba9876543210'.repeat(4);
const body = '{"event":"ping","text":"é ✓"}';
/** Returns the library as a receiver configures it. */
const library = (key: string) => new Webhook(`whsec_${Buffer.from(key, 'ascii').toString('base64')}`);
const signed = (changes: Partial<Signed> = {}): Record<string, string> =>
  deliveryHeaders({
    event: 'pick.posted',
    deliveryId: 'msg_7_posted_9',
    timestamp: Math.floor(Date.now() / 1000),
    body,
    secret,
    ...changes,
  });

/** An implementation of RFC 2104 over the Web Crypto API that shares nothing with the service's. */
async function hmacHex(key: string, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))).toString(
    'hex',
  );
}

describe('the signature of a delivery', () => {
  it('has exactly the headers of the interface and of Standard Webhooks', () => {
    expect(signed({ timestamp: 1_700_000_000 })).to.deep.equal({
      'Content-Type': 'application/json',
      'X-Service-Event': 'pick.posted',
      // Computed with openssl dgst -sha256 -hmac.
      'X-Service-Signature': 'sha256=746d314a2b75e1e5ed078ff349e296ca98b9cee0ed413005046829bd3a507813',
      'webhook-id': 'msg_7_posted_9',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,TiZOhVMOgA4+4ON6TndgmzFaYgIdifFV+m38k6nLlkY=',
    });
  });

  it('is an HMAC of the raw body, keyed with the 64 characters of the secret', async () => {
    expect(signed()['X-Service-Signature']).to.equal(`sha256=${await hmacHex(secret, body)}`);
  });

  it('is accepted by the Standard Webhooks library, which refuses another body, id, time, or secret', () => {
    const headers = signed();
    expect(library(secret).verify(body, headers)).to.deep.equal(JSON.parse(body));
    for (const [changedBody, changes] of [
      [`${body} `, {}],
      [body, { 'webhook-id': 'msg_8' }],
      [body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }],
    ] as const)
      expect(() => library(secret).verify(changedBody, { ...headers, ...changes })).to.throw('signature');
    expect(() => library(previousSecret).verify(body, headers)).to.throw('signature');
  });

  it('is refused by the library in a replay of an old attempt', () => {
    const headers = signed({ timestamp: Math.floor(Date.now() / 1000) - 3600 });
    expect(() => library(secret).verify(body, headers)).to.throw('too old');
  });

  it('has the new secret in X-Service-Signature during an overlap, and both in webhook-signature', async () => {
    const headers = signed({ previousSecret });
    expect(headers['X-Service-Signature']).to.equal(`sha256=${await hmacHex(secret, body)}`);
    expect(headers['webhook-signature']?.split(' ')).to.have.lengthOf(2);
    for (const key of [secret, previousSecret])
      expect(library(key).verify(body, headers)).to.deep.equal(JSON.parse(body));
  });
});
