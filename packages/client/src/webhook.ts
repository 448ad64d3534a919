import { base64, fromBase64, hex, utf8 } from '../../../src/proof/encoding.ts';
import type { Deliveries } from './operations.ts';

/** The body of a delivery: `pick.posted`, `pick.settled`, or `ping`. */
export type Delivery = Deliveries[keyof Deliveries];

/** A delivery is not from the service, or not from now. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** The headers of a request: of `fetch`, or of Node's `IncomingMessage`. */
export type GivenHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

/** Greatest difference between the delivery's time and now, in seconds: what Standard Webhooks recommends. */
const toleranceSeconds = 300;

/** @param secret 64 hex characters, or a Standard Webhooks secret, `whsec_` and base64 */
async function hmac(secret: string, message: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : utf8(secret);
  const key = await crypto.subtle.importKey('raw', new Uint8Array(bytes), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(message)));
}

/** Returns the headers of a delivery, with both signatures (docs/rules/webhooks.md; Standard Webhooks 1.0). */
export async function signDelivery(
  secret: string,
  { event, id, timestamp, body }: { event: string; id: string; timestamp: number; body: string },
): Promise<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': event,
    'X-Service-Signature': `sha256=${hex(await hmac(secret, utf8(body)))}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${base64(await hmac(secret, utf8(`${id}.${timestamp}.${body}`)))}`,
  };
}

/**
 * Verifies a delivery and returns its body. Either of `X-Service-Signature` and `webhook-signature` proves who sent it, and every one that
 * is present must be valid; only the second also proves when. During the overlap of a rotation, the old secret verifies the second alone.
 * @param body exactly as received
 * @param secret 64 hex characters, or as `whsec_...`
 * @param options `now`: epoch milliseconds
 * @throws WebhookError with what is wrong, in a sentence
 */
export async function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: GivenHeaders,
  { now = Date.now() }: { now?: number } = {},
): Promise<Delivery> {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
  const service = header(headers, 'x-service-signature');
  const standard = header(headers, 'webhook-signature');
  const id = header(headers, 'webhook-id') ?? '';
  const timestamp = Number(header(headers, 'webhook-timestamp') ?? Number.NaN);
  const signed = await signDelivery(secret, { event: '', id, timestamp, body: text });
  if (standard !== undefined) {
    const given = standard.split(' ');
    if (!given.some((each) => sameText(each, signed['webhook-signature']!)))
      throw new WebhookError('The signature in webhook-signature is not valid.');
    if (!(Math.abs(now / 1000 - timestamp) <= toleranceSeconds))
      throw new WebhookError('The delivery is older or newer than five minutes: it may be a replay.');
    // The old secret is valid during the overlap of a rotation, while the other header has the new one.
    if (given.length > 1) return JSON.parse(text);
  }
  if (service !== undefined && !sameText(service, signed['X-Service-Signature']!))
    throw new WebhookError('The signature in X-Service-Signature is not valid.');
  if (service === undefined && standard === undefined)
    throw new WebhookError('The request has neither X-Service-Signature nor webhook-signature.');
  return JSON.parse(text);
}

function header(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

/** Compares in constant time. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
