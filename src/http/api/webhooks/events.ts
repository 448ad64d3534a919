import type { TSchema } from 'typebox';
import { noticeSchemas } from '../../../webhooks/delivery/notice.ts';
import { payloadSchemas } from '../../../webhooks/messages/payloads.ts';

/** The headers of a delivery, each with what it holds. */
export const deliveryHeaders: Readonly<Record<string, string>> = {
  'X-Service-Event': 'The event.',
  'X-Service-Signature': '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
  'webhook-id': 'The same for every attempt to deliver an event.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature': 'Standard Webhooks: one or two of `v1,` and base64.',
};

/** The bodies of deliveries, by event. */
export const deliveries: Readonly<Record<string, TSchema>> = { ...payloadSchemas, ...noticeSchemas };
