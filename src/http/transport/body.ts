import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { Problem, problem } from '../answer.ts';

/** Undefined for a body of another type. @param limit on the decoded body, such as `16kb`. @throws Problem 400, 413, 415 */
export function bodyReader(kind: 'json' | 'form', limit: string): (ctx: Context) => Promise<unknown> {
  const parse = bodyParser(
    kind === 'json'
      ? { enableTypes: ['text'], extendTypes: { text: jsonTypes }, textLimit: limit }
      : { enableTypes: ['form'], formLimit: limit },
  );
  const what = kind === 'json' ? 'JSON' : 'a form';
  return async (ctx) => {
    try {
      await parse(ctx, async () => {});
      const { body } = ctx.request as { body?: unknown };
      if (kind === 'json' && typeof body === 'string') return parseJson(body);
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof SyntaxError) throw problem(400, 'The body is not JSON.');
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

const jsonTypes = ['application/json', 'application/json-patch+json', 'application/vnd.api+json'];

/** Bounds of a JSON body, far above that of any request: 5,000 rows of 40 fields. */
const maxDepth = 16;
const maxValues = 250_000;
const maxMembers = 1_000;

/**
 * Parses an object or array. Bounds its shape first, in one pass over the text: millions of keys or levels would hold up the process for
 * seconds, in the parser and in every check after it.
 * @throws SyntaxError; Problem 400 beyond the bounds
 */
export function parseJson(text: string): unknown {
  if (text === '') return {};
  /** Members of each open object or array so far, negative for arrays. */
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1)
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1)
          if (text.charCodeAt(at) === 0x5c) at += 1;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (open.push(text.charCodeAt(at) === 0x7b ? 1 : Number.NEGATIVE_INFINITY) > maxDepth)
          throw problem(400, `The body is nested more than ${maxDepth} deep.`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x2c: {
        // ,
        values += 1;
        const members = (open.at(-1) ?? 0) + 1;
        if (open.length > 0) open[open.length - 1] = members;
        if (values > maxValues || members > maxMembers) throw problem(400, 'The body has too many values.');
      }
    }
  if (!/^\s*[[{]/.test(text)) throw new SyntaxError('neither an object nor an array');
  return JSON.parse(
    text,
    text.includes('__proto__') || text.includes('\\u005') ? refusePrototype : undefined,
  );
}

/** Refuses keys that assign the prototype of an object to which they are copied. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw problem(400, 'The body has a key named __proto__.');
  return value;
}

export function isJson(ctx: Context): boolean {
  return typeof ctx.is('json') === 'string';
}

/** True also for an empty body, as some clients send. */
function isEmpty(ctx: Context): boolean {
  return ctx.is('*/*') === null || ctx.get('Content-Length') === '0';
}

const maxBody = '16kb';
const json = {
  [maxBody]: bodyReader('json', maxBody),
  '8kb': bodyReader('json', '8kb'),
  '32kb': bodyReader('json', '32kb'),
};
const form = bodyReader('form', maxBody);

/** No body counts as an empty object. @throws Problem 400, 413, 415 */
export async function readJson(ctx: Context, limit: keyof typeof json = maxBody): Promise<unknown> {
  if (isEmpty(ctx)) return {};
  if (!isJson(ctx)) throw problem(415, 'Send JSON, with Content-Type: application/json.');
  return (await json[limit](ctx)) ?? {};
}

/** @throws Problem 400, 413, 415 */
export async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('urlencoded') === false)
    throw problem(415, 'Send the form as application/x-www-form-urlencoded.');
  return ((await form(ctx)) as Record<string, unknown> | undefined) ?? {};
}
