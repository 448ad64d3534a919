import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createSealer,
  makeSecret,
  sameSecret,
  secretContext,
  signingSecrets,
  targetContext,
} from '../../../src/webhooks/subscriptions/secrets.ts';

const sealer = createSealer(randomBytes(32).toString('base64'));
const rotatedAt = Date.parse('2026-01-15T12:00:00Z');

describe('sealing a text', () => {
  it('round-trips any text, never twice to the same bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = sealer.seal(text, secretContext(1));
        expect(sealer.open(sealed, secretContext(1))).to.equal(text);
        expect(sealer.seal(text, secretContext(1)).equals(sealed)).to.equal(false);
      }),
    );
  });

  it('does not show the text', () => {
    expect(sealer.seal('https://receiver.example/a-path', targetContext(1)).toString('latin1')).not.to.match(
      /http|receiver|path/,
    );
  });

  it('binds the text to its row, its column, and the key', () => {
    const sealed = sealer.seal('text', secretContext(1));
    expect(() => sealer.open(sealed, secretContext(2))).to.throw('cannot be opened');
    expect(() => sealer.open(sealed, targetContext(1))).to.throw('cannot be opened');
    const other = createSealer(randomBytes(32).toString('base64'));
    expect(() => other.open(sealed, secretContext(1))).to.throw('cannot be opened');
  });

  it('detects any changed bit and any truncation', () => {
    const sealed = sealer.seal(makeSecret(), secretContext(1));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => sealer.open(changed, secretContext(1)), `bit ${bit}`).to.throw(
        Error,
        'webhook_subscriptions',
      );
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => sealer.open(sealed.subarray(0, length), secretContext(1)), `${length} bytes`).to.throw(
        Error,
        'webhook_subscriptions',
      );
  });
});

describe('a secret', () => {
  it('is 64 hex characters, and different each time', () => {
    const made = new Set(Array.from({ length: 100 }, makeSecret));
    expect(made.size).to.equal(100);
    for (const secret of made) expect(secret).to.match(/^[0-9a-f]{64}$/);
  });

  it('equals only itself', () => {
    const secret = makeSecret();
    expect(sameSecret(secret, secret)).to.equal(true);
    for (const other of ['', secret.slice(1), `${secret}0`, secret.toUpperCase().replace(/^./, 'g')])
      expect(sameSecret(other, secret), other).to.equal(false);
  });
});

describe('the secrets that sign', () => {
  const secret = makeSecret();
  const previousSecret = makeSecret();
  const row = {
    id: 5,
    secret_sealed: sealer.seal(secret, secretContext(5)),
    previous_secret_sealed: sealer.seal(previousSecret, secretContext(5)),
    rotated_at: rotatedAt,
    overlap_seconds: 86_400,
  };

  it('include both for 24 hours after a rotation, and then only the new one', () => {
    expect(signingSecrets(sealer, row, rotatedAt)).to.deep.equal({ secret, previousSecret });
    expect(signingSecrets(sealer, row, rotatedAt + 24 * 3_600_000 - 1)).to.deep.equal({
      secret,
      previousSecret,
    });
    expect(signingSecrets(sealer, row, rotatedAt + 24 * 3_600_000)).to.deep.equal({ secret });
  });

  it('include both for as long as the rotation says', () => {
    const short = { ...row, overlap_seconds: 60 };
    expect(signingSecrets(sealer, short, rotatedAt + 59_999)).to.deep.equal({ secret, previousSecret });
    expect(signingSecrets(sealer, short, rotatedAt + 60_000)).to.deep.equal({ secret });
  });

  it('include only one without a rotation', () => {
    const never = { ...row, previous_secret_sealed: null, rotated_at: null };
    expect(signingSecrets(sealer, never, rotatedAt)).to.deep.equal({ secret });
  });
});
