import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { TObject, TSchema } from 'typebox';
import { givenParams, paramsReader } from '../../boards/endpoint.ts';
import { Coded } from '../../cache/representation.ts';
import { lazy } from '../../platform/lazy.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { type Answer, jsonType, problem } from '../answer.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import type { Request, Route } from '../routes.ts';
import { headersFor, noneMatches, preferredCoding } from './headers.ts';

/** A route's handler as Koa middleware. @param fastPath learns the answers that it may give next time */
export function answering(route: Route, fastPath?: FastPath): Middleware {
  return async (ctx) => {
    if (route.page === true) ctx.state.page = true;
    const asOf = fastPath?.now();
    const given = await route.handle(requestOf(ctx, route));
    const answer = { ...(route.lifetime === undefined ? {} : { lifetime: route.lifetime }), ...given };
    const body = await respond(ctx, answer);
    if (asOf !== undefined) fastPath?.learn(ctx.url, { ...answer, body }, asOf);
  };
}

type Content = string | Buffer | Coded | Readable;

/**
 * Writes an answer: the one place that knows conditional requests and content codings. Koa leaves out the body of a HEAD.
 * @returns the body that was written, all codings of it; undefined where there is none
 */
export async function respond(ctx: Context, answer: Answer): Promise<Content | undefined> {
  const { status = 200, body, source, type = jsonType, etag } = answer;
  if (source !== undefined) ctx.state.cache = source;
  ctx.set(headersFor(answer, body instanceof Coded));
  if (etag !== undefined && noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return undefined;
  }
  ctx.status = status;
  if (body === undefined) return undefined;
  const content = await contentOf(body);
  // Before the body, for which Koa would look for a type.
  ctx.set('Content-Type', type);
  if (content instanceof Coded) {
    const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
    ctx.body = await content.in(coding);
    if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  } else ctx.body = content;
  return content;
}

async function contentOf(body: NonNullable<Answer['body']>): Promise<Content> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (body instanceof Coded || body instanceof Readable) return body;
  return typeof body === 'function' ? body() : JSON.stringify(body);
}

/** Reads a request for the handler of a route: parts that have to be validated only when they are asked for. */
function requestOf(ctx: Context, route: Route): Request<never, never> {
  const search = new URLSearchParams(ctx.querystring);
  const given = givenParams(ctx.querystring, {});
  return {
    path: ctx.path,
    url: ctx.url,
    ip: ctx.ip,
    params: (ctx.params ?? {}) as Record<string, string>,
    search,
    given,
    header: (name) => ctx.get(name),
    query: () => queryReader(route)(given, undefined) as never,
    body: async () => valid(route, await readJson(ctx)) as never,
    form: () => readForm(ctx),
  };
}

const queryReaders = new WeakMap<TObject, ReturnType<typeof paramsReader>>();

function queryReader({ path, query }: Route): ReturnType<typeof paramsReader> {
  if (query === undefined) throw new Error(`${path} declares no query`);
  const reader = queryReaders.get(query) ?? paramsReader(query);
  queryReaders.set(query, reader);
  return reader;
}

const checkers = new WeakMap<TSchema, ReturnType<typeof checker>>();

function valid({ path, body }: Route, value: unknown): unknown {
  if (body === undefined) throw new Error(`${path} declares no body`);
  const check = checkers.get(body) ?? checker(body);
  checkers.set(body, check);
  const checked = check(value);
  if (checked.ok) return checked.value;
  throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
}

const maxBody = '16kb';
const json = bodyReader('json', maxBody);
const form = bodyReader('form', maxBody);

async function readJson(ctx: Context): Promise<unknown> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('json') === false) throw problem(415, 'Send JSON, with Content-Type: application/json.');
  return (await json(ctx)) ?? {};
}

async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  if (isEmpty(ctx)) return {};
  if (ctx.is('urlencoded') === false)
    throw problem(415, 'Send the form as application/x-www-form-urlencoded.');
  return ((await form(ctx)) as Record<string, unknown> | undefined) ?? {};
}

/**
 * Reads the body of a POST; what is no JSON, or no form, reads as undefined.
 * @param kind which bodies are read
 * @param limit of the body after its content coding is undone, such as `16kb`
 * @throws Problem 400, 413, 415
 */
export function bodyReader(kind: 'json' | 'form', limit: string): (ctx: Context) => Promise<unknown> {
  // Loaded by who sends the first body that is not small: the parser takes 2 MB.
  const parser = lazy(async () => {
    const { bodyParser } = await import('@koa/bodyparser');
    return bodyParser({ enableTypes: [kind], jsonLimit: limit, formLimit: limit });
  });
  const what = kind === 'json' ? 'JSON' : 'a form';
  return async (ctx) => {
    const parse = kind === 'json' && isSmallJson(ctx.req) ? undefined : await parser();
    try {
      if (parse === undefined) return await smallJson(ctx.req);
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

/** Whether a body is said to be JSON. */
export function isJson(ctx: Context): boolean {
  return isSmallJson(ctx.req) || typeof ctx.is('json') === 'string';
}

/** Not more than the limit of any reader. */
const maxSmall = 16 * 1024;
const utf8 = new TextDecoder();

/**
 * Whether a request has JSON as most clients send it: small, whole and not coded. It is read here, as the parser reads it but in a fifth of
 * the time.
 */
function isSmallJson({ method, headers, closed }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length'] ?? Number.NaN) <= maxSmall &&
    !closed
  );
}

/** @throws Error with status 400 */
async function smallJson(request: IncomingMessage): Promise<unknown> {
  try {
    const text = utf8.decode(await bytesOf(request));
    if (text === '') return {};
    const value: unknown = JSON.parse(text, /__proto__|\\u/i.test(text) ? refusePrototypes : undefined);
    if (typeof value !== 'object' || value === null) throw new SyntaxError('no object or array');
    return value;
  } catch (error) {
    throw Object.assign(error as Error, { status: 400 });
  }
}

function refusePrototypes(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('an object with a prototype of its own');
  return value;
}

function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', reject);
  });
}

/** Without a body, or with one of no length, as some clients send. */
export function isEmpty(ctx: Context): boolean {
  return ctx.is('*/*') === null || ctx.get('Content-Length') === '0';
}
