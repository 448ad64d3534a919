import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Encrypts what is stored and must not be read from a copy of the database: AES-256-GCM. */
export interface Sealer {
  /** @param place where the text is stored; it can be opened as nothing else */
  seal(text: string, place: string): Buffer;
  /** @throws Error when the bytes were sealed under another key, for another place, or were changed */
  open(sealed: Uint8Array, place: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;
/** The first byte of what is sealed, so that another way of sealing can be told from this one. */
const version = 1;

/** Where the parts of a subscription are sealed: a row's bytes are of no use in another row. */
export const secretPlace = (id: number) => `webhook_subscriptions/${id}/secret`;
export const targetPlace = (id: number) => `webhook_subscriptions/${id}/target`;

/**
 * Makes a sealer.
 * @param secretKey 32 bytes in base64 (the setting SECRET_KEY)
 */
export function createSealer(secretKey: string): Sealer {
  const key = Buffer.from(secretKey, 'base64');
  const bound = (place: string) => Buffer.from(`public-picks/${version}/${place}`);
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(place));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, hidden, cipher.getAuthTag()]);
    },
    open(sealed, place) {
      if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes)
        throw new Error(`${place} was not sealed by this service`);
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const hidden = sealed.subarray(1 + nonceBytes, -tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(bound(place)).setAuthTag(sealed.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
      } catch {
        throw new Error(`${place} cannot be opened: SECRET_KEY is another one, or the row was changed`);
      }
    },
  };
}

/** A new secret of a subscription: 64 hex characters, 256 bits (docs/rules/webhooks.md#secrets-and-rotation). */
export function makeSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Compares in constant time, whatever the lengths. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The columns of a subscription that its secrets are made of. */
export interface SealedSecrets {
  id: number;
  secret_sealed: Uint8Array;
  previous_secret_sealed: Uint8Array | null;
  /** Epoch milliseconds. */
  rotated_at: number | null;
  /** Seconds after the rotation during which the previous secret signs as well. */
  overlap_seconds: number;
}

/**
 * The secrets that a subscription's deliveries are signed with at an instant.
 * @param now epoch milliseconds
 * @throws Error when they cannot be opened
 */
export function signingSecrets(
  sealer: Sealer,
  { id, secret_sealed, previous_secret_sealed, rotated_at, overlap_seconds }: SealedSecrets,
  now: number,
): { secret: string; previousSecret?: string } {
  const secret = sealer.open(secret_sealed, secretPlace(id));
  if (previous_secret_sealed === null || rotated_at === null || now >= rotated_at + overlap_seconds * 1000)
    return { secret };
  return { secret, previousSecret: sealer.open(previous_secret_sealed, secretPlace(id)) };
}
