import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware } from 'koa';
import { Type } from 'typebox';
import { orNull, plainText } from '../platform/fields.ts';
import type { Checked } from '../platform/schema.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { problem } from './errors.ts';

export const ownerEmail = Type.String({
  format: 'email',
  minLength: 3,
  maxLength: 254,
  must: 'an e-mail address',
  description: 'Owner of the subscription: whoever knows it may list the subscriptions.',
});

/** What to subscribe with (interface, section 2.3). What handles, sports and targets there are is for the ledger and the guard to say. */
export const subscribeBody = Type.Object({
  owner_email: ownerEmail,
  target_url: Type.String({
    minLength: 1,
    maxLength: 4096,
    must: 'the https URL of the receiver',
    description: 'Where to deliver: https, port 443 or 8443, a public host.',
  }),
  capper_handle: orNull(plainText(1, 100)),
  sport: orNull(plainText(1, 100)),
});

export const enableBody = Type.Object({
  from: Type.Union([Type.Literal('cursor'), Type.Literal('head')], {
    default: 'cursor',
    description: '`cursor`: go on where it stopped. `head`: pass over what happened since.',
  }),
});

export const attemptsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Most attempts.' }),
});

export const checkSubscribeBody = checker(subscribeBody);
export const checkEnableBody = checker(enableBody);
export const checkAttemptsQuery = checker(attemptsQuery, { coerce: true });
export const checkListQuery = checker(Type.Object({ email: ownerEmail }));

const largest = '16kb';
const json: Middleware = bodyParser({ enableTypes: ['json'], jsonLimit: largest });
const form: Middleware = bodyParser({ enableTypes: ['form'], formLimit: largest });

/**
 * Reads a JSON body; no body counts as an empty object.
 * @throws Problem 415; an error with status 400 or 413
 */
export async function readJson(ctx: Context): Promise<unknown> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('json') === false) throw problem(415, 'Send JSON, with Content-Type: application/json.');
  await json(ctx, async () => {});
  return (ctx.request as { body?: unknown }).body ?? {};
}

/**
 * Reads the fields of a posted form.
 * @throws Problem 415; an error with status 400 or 413
 */
export async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('urlencoded') === false)
    throw problem(415, 'Send the form as application/x-www-form-urlencoded.');
  await form(ctx, async () => {});
  return (ctx.request as { body?: Record<string, unknown> }).body ?? {};
}

/** Without a body, or with one of no length, as some clients send. */
function isEmpty(ctx: Context): boolean {
  return ctx.is('*/*') === null || ctx.get('Content-Length') === '0';
}

/**
 * The value that a check passed.
 * @throws Problem 400 that names every fault
 */
export function valid<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
}
