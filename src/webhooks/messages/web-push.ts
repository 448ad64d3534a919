// Encryption of push messages (RFC 8291) and identification to push services (VAPID, RFC 8292), with Node's own cryptography.

import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Sealer } from '../subscriptions/secrets.ts';

const curve = 'prime256v1';

/** The keys of a device as subscriptions store them: public key and authentication secret, in base64url. */
export function deviceKeys({ p256dh, auth }: { p256dh: string; auth: string }): string {
  return `${unpadded(p256dh)}.${unpadded(auth)}`;
}

/** Other base64url of the same bytes must not make another device. */
const unpadded = (text: string) => Buffer.from(text, 'base64url').toString('base64url');

/** Reports whether a text is an uncompressed point on the curve P-256, in base64url. */
export function isPublicKey(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url');
  try {
    return bytes.length === 65 && bytes[0] === 4 && ECDH.convertKey(bytes, curve).length === 65;
  } catch {
    return false;
  }
}

/** Record size in the header of a message: any above its length. */
const recordSize = 4096;

/**
 * Encrypts a text for a device, in one record of `aes128gcm`: 103 bytes more than the text.
 * @param keys as {@link deviceKeys} writes them
 * @param made our key pair and salt, used once. Default: new ones
 */
export function encrypted(
  text: string,
  keys: string,
  made = { key: randomKey(), salt: randomBytes(16) },
): Buffer {
  const [theirs, auth] = keys.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  const { key, salt } = made;
  const ours = key.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = Buffer.from(hkdfSync('sha256', key.computeSecret(theirs), auth, info, 32));
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(recordSize);
  head[4] = ours.length;
  // 2 delimits the last record.
  return Buffer.concat([
    salt,
    head,
    ours,
    cipher.update(text, 'utf8'),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function randomKey(): ECDH {
  const key = createECDH(curve);
  key.generateKeys();
  return key;
}

export type Vapid = ReturnType<typeof createVapid>;

/** Seconds until a token expires. Push services accept at most a day. */
const tokenSeconds = 12 * 3600;

/**
 * Derives the key pair from SECRET_KEY: without that key, no stored endpoint can be opened anyway, so a key of its own would add a secret
 * to keep and protect nothing.
 * @param baseUrl names the operator to push services. Apple refuses addresses at localhost
 */
export function createVapid(sealer: Pick<Sealer, 'derive'>, baseUrl: string) {
  const pair = derivedKey(sealer);
  const publicKey = pair.getPublicKey('base64url');
  const key = privateKeyOf(pair);
  const sub = baseUrl.startsWith('https:') ? baseUrl : `mailto:operator@${new URL(baseUrl).hostname}`;
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return {
    /** The uncompressed point in base64url, as `pushManager.subscribe` takes it. */
    publicKey,
    /** @param origin of the push service's endpoints */
    authorization(origin: string): string {
      // The push service's clock judges it, so the service's own, which may be simulated, does not count.
      const exp = Math.floor(Date.now() / 1000) + tokenSeconds;
      const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: origin, exp, sub })}`;
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}

function derivedKey({ derive }: Pick<Sealer, 'derive'>): ECDH {
  for (let attempt = 1; ; attempt += 1) {
    const pair = createECDH(curve);
    try {
      pair.setPrivateKey(derive(`vapid/${attempt}`));
      return pair;
    } catch {
      // One in 2^32 values is not a private key of the curve.
    }
  }
}

function privateKeyOf(pair: ECDH): KeyObject {
  const point = pair.getPublicKey();
  const text = (bytes: Buffer) => bytes.toString('base64url');
  const d = text(Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32));
  const jwk = { kty: 'EC', crv: 'P-256', x: text(point.subarray(1, 33)), y: text(point.subarray(33)), d };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}
