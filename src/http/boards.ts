import type { TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Board, BoardFormat } from '../boards/board.ts';
import { answerSchema } from '../boards/envelope.ts';
import { InvalidParams } from '../boards/read-params.ts';
import type { BoardCache, Answer as CacheAnswer } from '../cache/board-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Answer } from './answer.ts';
import { Coded } from './coded.ts';
import type { Front } from './front.ts';
import { problem } from './problem.ts';
import { namesInPath, type Reference, type Route } from './routes.ts';

export interface BoardRoutesDeps {
  cache: BoardCache;
  front: Front;
  clock: Clock;
}

/**
 * The routes of all boards and of their formats.
 * @throws Error when a path has a parameter that its board does not declare
 */
export function boardRoutes(boards: readonly Board[], deps: BoardRoutesDeps): Route[] {
  return boards.flatMap((board) => [
    route(board, undefined, deps),
    ...(board.formats ?? []).map((format) => route(board, format, deps)),
  ]);
}

function route(
  board: Board,
  format: BoardFormat | undefined,
  { cache, front, clock }: BoardRoutesDeps,
): Route {
  const { path, lifetime } = format ?? board;
  const inPath = namesInPath(path);
  for (const name of inPath)
    if (!Object.hasOwn(board.params.properties, name))
      throw new Error(`${path} has a parameter that its board does not declare: ${name}`);
  const [params, query] = split(board.params, inPath);
  return {
    method: 'GET',
    path,
    lifetime,
    query,
    reference: reference(board, format, params),
    async handle({ url, given, params: named }) {
      const answer = await cache.answer(board, { ...given, ...named }, format).catch((error: unknown) => {
        throw refusalInPath(error, inPath, named) ?? error;
      });
      front.learn(url, answer.rendered);
      return cachedAnswer(answer, clock);
    },
  };
}

/** The parameters in the path, and those of the query. */
function split(params: TObject, inPath: ReadonlySet<string>): [TObject, TObject] {
  const properties = Object.entries(params.properties as Record<string, TSchema>);
  const of = (isInPath: boolean) =>
    Type.Object(Object.fromEntries(properties.filter(([name]) => inPath.has(name) === isInPath)));
  return [of(true), of(false)];
}

function reference(board: Board, format: BoardFormat | undefined, params: TObject): Reference {
  const { path } = format ?? board;
  return {
    id: operationId(path),
    section: board.group,
    about: board.about,
    params,
    answer:
      format === undefined
        ? { schema: answerSchema(board) }
        : { type: format.contentType, schema: Type.String() },
    refusals: {
      400: 'A parameter is not valid.',
      ...(namesInPath(path).size > 0 ? { 404: 'The path names nothing that exists.' } : {}),
      503: 'The ledger is unreachable; try again as Retry-After says.',
    },
    examples: board.examples,
  };
}

/** The short names in the paths of pages. */
const written: Record<string, string> = { c: 'capper', p: 'pick' };

/** Names an operation after its path: `/api/cappers/:handle/units-curve` is `getCapperUnitsCurve`. */
function operationId(path: string): string {
  const words = path
    .replace(/^\/api\//, '/')
    .replace(/(\w{4,})s\/:\w+/g, '$1')
    .replace(/\/:\w+/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return `get${words
    .map((word) => written[word] ?? word)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')}`;
}

/**
 * What a path names and is not valid does not exist: 404 rather than 400.
 * @returns undefined for any other error
 */
export function refusalInPath(
  error: unknown,
  inPath: ReadonlySet<string>,
  params: Readonly<Record<string, string>>,
): Error | undefined {
  if (!(error instanceof InvalidParams)) return undefined;
  const fault = error.faults.find(({ path }) => inPath.has(path.slice(1)));
  if (fault === undefined) return undefined;
  const name = fault.path.slice(1);
  return problem(404, `There is no ${name} ${JSON.stringify(params[name])}: it ${fault.message}.`);
}

/** What the cache gave, as an answer. */
export function cachedAnswer({ rendered, stale, source }: CacheAnswer, clock: Clock): Answer {
  const { contentType, lifetime, etag, bytes, generatedAt } = rendered;
  return {
    type: contentType,
    lifetime,
    etag,
    body: new Coded((coding) => bytes[coding]),
    headers: stale ? { Age: String(Math.max(0, Math.round((clock.now() - generatedAt) / 1000))) } : {},
    source: stale ? `${source}, stale` : source,
  };
}
