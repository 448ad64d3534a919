import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { expect } from 'chai';
import type { Received } from './receivers.ts';

/** A notification as the service worker gets it. */
export interface Notification {
  title: string;
  body: string;
  url: string;
  tag: string;
  startsAt?: string;
}

/** A browser's side of Web Push: what its push subscription holds, and how it reads messages. */
export interface Device {
  /** As `PushSubscription.toJSON()` has them. */
  keys: { p256dh: string; auth: string };
  /**
   * Checks a request as a push service does (RFC 8030, RFC 8292), and decrypts it as a browser does (RFC 8291).
   * @param origin of the push service
   * @param publicKey of the service, with which the browser subscribed
   */
  open(received: Received, origin: string, publicKey: string): Notification;
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url');

export function makeDevice(): Device {
  const key = createECDH('prime256v1');
  key.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: key.getPublicKey('base64url'), auth: auth.toString('base64url') },
    open({ method, headers, bytes }, origin, publicKey) {
      expect(method).to.equal('POST');
      expect(bytes.length, 'size that every push service takes').to.be.at.most(2700);
      expect(headers['content-encoding']).to.equal('aes128gcm');
      expect(Number(headers.ttl)).to.be.within(60, 86_400);
      expect(headers.topic).to.match(/^[A-Za-z0-9_-]{32}$/);
      authorized(String(headers.authorization), origin, publicKey);
      return JSON.parse(decrypted(bytes, key, auth));
    },
  };
}

function authorized(header: string, origin: string, publicKey: string): void {
  const [, token, key] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).to.equal(publicKey);
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  expect(JSON.parse(String(bytesOf(head)))).to.deep.equal({ typ: 'JWT', alg: 'ES256' });
  const { aud, exp, sub, ...others } = JSON.parse(String(bytesOf(claims)));
  expect(others).to.deep.equal({});
  expect(aud).to.equal(origin);
  expect(exp - Date.now() / 1000).to.be.within(60, 24 * 3600);
  expect(sub).to.match(/^(https:\/\/|mailto:)/);
  const point = bytesOf(publicKey);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'));
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('sha256', signed, { key: verifier, dsaEncoding: 'ieee-p1363' }, bytesOf(signature))).to.equal(
    true,
  );
}

function decrypted(bytes: Buffer, key: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = bytes.subarray(0, 16);
  const size = bytes.readUInt32BE(16);
  const sender = bytes.subarray(21, 21 + bytes[20]!);
  const record = bytes.subarray(21 + bytes[20]!);
  expect(record.length).to.be.at.most(size);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', key.computeSecret(sender), auth, info, 32));
  const derived = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const text = padded.toString().replace(/\0*$/, '');
  expect(text.at(-1)).to.equal('\u0002');
  return text.slice(0, -1);
}
