import { expect } from 'chai';
import { keyPair, verify } from '../../src/proof/ed25519.ts';
import { utf8 } from '../../src/proof/encoding.ts';
import { rejection } from './rejection.ts';

describe('Ed25519', () => {
  it('rejects malformed keys and signatures', async () => {
    const { publicKey, sign } = await keyPair(new Uint8Array(32));
    const message = utf8('message');
    const signature = await sign(message);
    expect(await verify(publicKey, message, signature)).to.equal(true);
    expect(await verify(publicKey, message, signature.subarray(1))).to.equal(false);
    expect(await verify(publicKey, message, new Uint8Array(64).fill(255))).to.equal(false);
    expect(await verify(publicKey.subarray(1), message, signature)).to.equal(false);
    expect(await verify(new Uint8Array(32).fill(255), message, signature)).to.equal(false);
    expect(await rejection(keyPair(new Uint8Array(31)))).to.be.instanceOf(RangeError);
  });
});
