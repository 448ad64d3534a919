import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { problem } from '../answer.ts';

/**
 * Returns a reader of POST bodies. It returns undefined for a body of another type.
 * @param limit on the decoded body, such as `16kb`
 * @throws Problem 400, 413, 415
 */
export function bodyReader(kind: 'json' | 'form', limit: string): (ctx: Context) => Promise<unknown> {
  const parse = bodyParser({ enableTypes: [kind], jsonLimit: limit, formLimit: limit });
  const what = kind === 'json' ? 'JSON' : 'a form';
  return async (ctx) => {
    try {
      await parse(ctx, async () => {});
    } catch (error) {
      const { status } = error as { status?: number };
      if (status === 413) throw problem(413, `The body is larger than ${limit}.`);
      if (status === 415)
        throw problem(415, 'The Content-Encoding of the body must be gzip, deflate, or br.');
      // zlib's errors about a body with another coding have no status.
      throw problem(
        400,
        status === undefined ? 'The body is not in its Content-Encoding.' : `The body is not ${what}.`,
      );
    }
    return (ctx.request as { body?: unknown }).body;
  };
}

/** Reports whether a request's Content-Type is JSON. */
export function isJson(ctx: Context): boolean {
  return typeof ctx.is('json') === 'string';
}

/** Reports whether a request has no body, or an empty one, as some clients send. */
function isEmpty(ctx: Context): boolean {
  return ctx.is('*/*') === null || ctx.get('Content-Length') === '0';
}

const maxBody = '16kb';
const json = { [maxBody]: bodyReader('json', maxBody), '8kb': bodyReader('json', '8kb') };
const form = bodyReader('form', maxBody);

/**
 * Reads a JSON body. No body counts as an empty object.
 * @throws Problem 400, 413, 415
 */
export async function readJson(ctx: Context, limit: keyof typeof json = maxBody): Promise<unknown> {
  if (isEmpty(ctx)) return {};
  if (!isJson(ctx)) throw problem(415, 'Send JSON, with Content-Type: application/json.');
  return (await json[limit](ctx)) ?? {};
}

/**
 * Reads the fields of a posted form.
 * @throws Problem 400, 413, 415
 */
export async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('urlencoded') === false)
    throw problem(415, 'Send the form as application/x-www-form-urlencoded.');
  return ((await form(ctx)) as Record<string, unknown> | undefined) ?? {};
}
