import { createHmac, type KeyObject } from 'node:crypto';

/** What one attempt of a delivery is signed over and with. */
export interface Signed {
  /** `pick.posted`, `pick.settled`, `ping` or `webhook.verify`. */
  event: string;
  /** The same for every attempt of one event to one subscription; without a full stop, as Standard Webhooks asks. */
  deliveryId: string;
  /** When this attempt is made, in whole seconds since the epoch. */
  timestamp: number;
  /** The raw body, exactly as it is sent. */
  body: string | Uint8Array;
  /** The subscription's secret: 64 hex characters, which are the key as they stand; or that key, made once for many deliveries. */
  secret: string | KeyObject;
  /** The secret before a rotation, during its overlap. */
  previousSecret?: string | KeyObject | undefined;
}

/**
 * The headers of a delivery to anything but a chat platform (docs/decisions/0020-webhook-delivery.md; Standard Webhooks 1.0).
 * `X-Service-Signature` is always made with the current secret; `webhook-signature` carries both during the overlap of a rotation.
 */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { event, deliveryId, timestamp, body, secret, previousSecret } = signed;
  const signatures = [secret, previousSecret]
    .filter((key) => key !== undefined)
    .map((key) => {
      const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.`).update(body);
      return `v1,${signature.digest('base64')}`;
    });
  const signature = createHmac('sha256', secret).update(body);
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': event,
    'X-Service-Signature': `sha256=${signature.digest('hex')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
