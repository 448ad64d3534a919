import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { problem } from './answer.ts';

/**
 * Reads the body of a POST; what is no JSON, or no form, reads as undefined.
 * @param kind which bodies are read
 * @param limit of the body after its content coding is undone, such as `16kb`
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
      if (status === 415) throw problem(415, 'The Content-Encoding of the body must be gzip, deflate or br.');
      // Without a status: what zlib says of a body that is not coded as its Content-Encoding says.
      throw problem(
        400,
        status === undefined ? 'The body is not in its Content-Encoding.' : `The body is not ${what}.`,
      );
    }
    return (ctx.request as { body?: unknown }).body;
  };
}

/** Without a body, or with one of no length, as some clients send. */
export function isEmpty(ctx: Context): boolean {
  return ctx.is('*/*') === null || ctx.get('Content-Length') === '0';
}
