import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypts values that a copy of the database must not reveal, with AES-256-GCM. */
export type Sealer = ReturnType<typeof createSealer>;

const nonceBytes = 12;
const tagBytes = 16;
/** Version of the format, the first byte of sealed values. */
const version = 1;

/** Contexts of a subscription's sealed values: a row's bytes are useless in another row. */
export const secretContext = (id: number) => `webhook_subscriptions/${id}/secret`;
export const targetContext = (id: number) => `webhook_subscriptions/${id}/target`;

/** @param secretKey 32 bytes in base64 (the setting SECRET_KEY) */
export function createSealer(secretKey: string) {
  const key = Buffer.from(secretKey, 'base64');
  const bound = (context: string) => Buffer.from(`public-picks/${version}/${context}`);
  return {
    /** @param context names the column; the text can be opened only with the same context */
    seal(text: string, context: string): Buffer {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(context));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, hidden, cipher.getAuthTag()]);
    },
    /** @throws Error if the bytes were sealed with another key or context, or were changed */
    open(sealed: Uint8Array, context: string): string {
      if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes)
        throw new Error(`${context} is not a sealed value`);
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const hidden = sealed.subarray(1 + nonceBytes, -tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(bound(context)).setAuthTag(sealed.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
      } catch {
        throw new Error(`${context} cannot be opened: SECRET_KEY differs, or the row was changed`);
      }
    },
    /** Derives 32 bytes that only the key's holders know, the same for the same purpose. */
    derive: (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', bound(purpose), 32)),
  };
}

/** Returns a new secret: 64 hex characters, 256 bits (docs/rules/webhooks.md#secrets-and-rotation). */
export function makeSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Returns a secret as the libraries of Standard Webhooks take it: the same key bytes, the 64 ASCII characters. */
export function whsec(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/** Compares in constant time, whatever the lengths. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export interface SealedSecrets {
  id: number;
  secret_sealed: Uint8Array;
  previous_secret_sealed: Uint8Array | null;
  rotated_at: EpochMs | null;
  /** Seconds after the rotation during which the previous secret also signs. */
  overlap_seconds: number;
}

/** @throws Error if the secrets cannot be opened */
export function signingSecrets(
  sealer: Sealer,
  { id, secret_sealed, previous_secret_sealed, rotated_at, overlap_seconds }: SealedSecrets,
  now: EpochMs,
): { secret: string; previousSecret?: string } {
  const secret = sealer.open(secret_sealed, secretContext(id));
  if (previous_secret_sealed === null || rotated_at === null || now >= rotated_at + overlap_seconds * 1000)
    return { secret };
  return { secret, previousSecret: sealer.open(previous_secret_sealed, secretContext(id)) };
}
