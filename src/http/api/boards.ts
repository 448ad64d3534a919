import type { TSchema } from 'typebox';
import type { Answered, Answers } from '../../answers/answers.ts';
import { answerSchema, type Board } from '../../boards/board.ts';
import { type Endpoint, type GivenParams, InvalidParams, namesIn } from '../../boards/endpoint.ts';
import type { Clock } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type Answer, cacheControl, type Lifetime, problem } from '../answer.ts';
import type { Reference, Route } from '../routes.ts';

export interface BoardRoutesDeps {
  answers: Answers;
  clock: Clock;
}

export function boardRoutes(boards: readonly Board[], deps: BoardRoutesDeps): Route[] {
  return boards.flatMap((board) => {
    return [
      boardRoute(board, board, board.lifetime, { schema: answerSchema(board) }, deps),
      ...board.formats.map((format) =>
        boardRoute(board, format, format.lifetime, { type: format.contentType, schema: Field.text() }, deps),
      ),
    ];
  });
}

function boardRoute(
  board: Board,
  endpoint: Endpoint,
  lifetime: Lifetime,
  answer: Reference['answer'],
  deps: BoardRoutesDeps,
): Route {
  const { path, params } = endpoint;
  const inPath = namesIn(path);
  const properties = Object.entries(params.properties as Record<string, TSchema>);
  const part = (isInPath: boolean) =>
    Type.Object(Object.fromEntries(properties.filter(([name]) => inPath.includes(name) === isInPath)));
  return {
    ...endpointRoute(endpoint, deps),
    lifetime,
    query: part(false),
    reference: {
      id: operationId(path),
      section: board.group,
      about: board.about,
      params: part(true),
      answer,
      refusals: {
        400: 'A parameter is invalid.',
        ...(inPath.length > 0 ? { 404: 'Not found.' } : {}),
        503: 'The ledger is unavailable. Try again after Retry-After.',
      },
      examples: board.examples,
    },
  };
}

export function endpointRoute(endpoint: Endpoint, { answers, clock }: BoardRoutesDeps): Route {
  const { path } = endpoint;
  const inPath = namesIn(path);
  return {
    method: 'GET',
    path,
    async handle({ ip, given, params }) {
      const all: GivenParams = { ...given, ...params };
      const answer = await answers.read(endpoint, all, ip).catch((error: unknown) => {
        throw refusalInPath(error, inPath, params) ?? error;
      });
      return cachedAnswer(answer, clock);
    },
  };
}

/** Full names of the short names in page paths. */
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

/** Undefined unless a path parameter is invalid: that is a 404, because it names nothing. Invalid query parameters are a 400. */
function refusalInPath(
  error: unknown,
  inPath: readonly string[],
  params: Readonly<Record<string, string>>,
): Error | undefined {
  if (!(error instanceof InvalidParams)) return undefined;
  const fault = error.faults.find(({ path }) => inPath.includes(path.slice(1)));
  if (fault === undefined) return undefined;
  const name = fault.path.slice(1);
  // Turns `must be the UUID of a pick` into `pick`.
  const noun = / of an? (\w+)$/.exec(fault.message)?.[1] ?? name;
  return problem(404, `There is no ${noun} ${JSON.stringify(params[name])}: it ${fault.message}.`);
}

function cachedAnswer({ rendered, stale, source }: Answered, clock: Clock): Answer {
  const { key, contentType, lifetime, etag, tags, body, generatedAt, unsettled } = rendered;
  return {
    type: contentType,
    lifetime: stale || unsettled ? cacheControl.outdated(lifetime) : lifetime,
    etag,
    body,
    key,
    tags,
    headers: stale ? { Age: String(Math.max(0, Math.round((clock.now() - generatedAt) / 1000))) } : {},
    source: stale ? `${source}, stale` : source,
  };
}
