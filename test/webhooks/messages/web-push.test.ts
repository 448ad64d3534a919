import { createECDH } from 'node:crypto';
import { expect } from 'chai';
import { deviceKeys, encrypted, isPublicKey } from '../../../src/webhooks/messages/web-push.ts';

/** RFC 8291, appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('encryption of push messages', () => {
  it('gives the bytes of the example in RFC 8291', () => {
    const key = createECDH('prime256v1');
    key.setPrivateKey(example.sender, 'base64url');
    const made = { key, salt: Buffer.from(example.salt, 'base64url') };
    expect(encrypted(example.text, deviceKeys(example), made).toString('base64url')).to.equal(
      example.message,
    );
  });

  it('never gives the same bytes twice', () => {
    const once = () => encrypted(example.text, deviceKeys(example)).toString('base64url');
    expect(once()).not.to.equal(once());
  });

  it('takes one spelling of keys for one device', () => {
    const padded = { p256dh: `${example.p256dh}=`, auth: `${example.auth}==` };
    expect(deviceKeys(padded)).to.equal(deviceKeys(example));
  });

  it('knows points on the curve from other bytes', () => {
    expect(isPublicKey(example.p256dh)).to.equal(true);
    const bytes = Buffer.from(example.p256dh, 'base64url');
    for (const other of [
      Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]),
      Buffer.concat([Buffer.of(4), Buffer.alloc(64)]),
      Buffer.concat([Buffer.of(2), bytes.subarray(1, 33)]),
      Buffer.concat([Buffer.of(6), bytes.subarray(1)]),
      bytes.subarray(0, 64),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.of(0),
    ])
      expect(isPublicKey(other.toString('base64url')), other.toString('hex')).to.equal(false);
  });
});
