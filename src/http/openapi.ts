import type { TSchema } from 'typebox';
import type { Board } from '../boards/board.ts';
import { answerSchema } from '../boards/envelope.ts';
import { furtherOperations } from './further-operations.ts';
import { ledgerOperations } from './ledger-operations.ts';
import type { Route } from './routes.ts';
import { webhookEvents, webhookPaths } from './webhook-document.ts';

const groups: Record<Board['group'] | 'record' | 'log', string> = {
  picks: 'Picks and confidence',
  sharp: 'Sharp consensus, streaks, leaderboards',
  cappers: 'Capper data',
  feeds: 'Feeds and catalogs',
  record: 'Record and receipts',
  log: 'The log',
  status: 'Status',
};

/** What parameters may look like. */
const examples: Record<string, string> = {
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  handle: 'ada',
  other: 'bram',
  sport: 'nfl',
  tier: 'elite',
  game: 'Tundra Owls @ Delta Rays',
  window: '30d',
};

const problemSchema = {
  type: 'object',
  description: 'RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
};

/**
 * The OpenAPI 3.1 document: made from the declarations of the boards, of the endpoints beside them, and from the schemas that webhooks
 * are checked by.
 * @param baseUrl where the service is
 * @param version the service's own
 */
export function openApi(boards: readonly Board[], baseUrl: string, version: string): object {
  const paths: Record<string, object> = {};
  for (const board of boards) {
    paths[templateOf(board.path)] = { get: operation(board, 'application/json', plain(answerSchema(board))) };
    for (const format of board.formats)
      paths[templateOf(format.path)] = {
        get: operation({ ...board, path: format.path }, format.contentType.split(';')[0]!, {
          type: 'string',
        }),
      };
  }
  Object.assign(paths, furtherOperations({ baseUrl, problem, examples }), ledgerOperations({ problem }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public Picks',
      version,
      description:
        'A public ledger of sports picks. Every endpoint is free, without signup or key. Audience: 21 and over.',
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries({ ...groups, webhooks: 'Webhooks' }).map(([name, description]) => ({
      name,
      description,
    })),
    paths: { ...paths, ...webhookPaths },
    webhooks: webhookEvents,
    components: { schemas: { Problem: problemSchema } },
  };
}

/** `/openapi.json`: made once, for it only changes with the code. */
export function openApiRoute(document: object): Route {
  const text = JSON.stringify(document);
  return {
    method: 'GET',
    path: '/openapi.json',
    handle(ctx) {
      ctx.set('Cache-Control', 'public, max-age=300');
      ctx.body = text;
      ctx.set('Content-Type', 'application/json; charset=utf-8');
    },
  };
}

function operation(board: Board, contentType: string, schema: object): object {
  const { path, group, about, params, lifetime } = board;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const required = new Set(params.required ?? []);
  return {
    operationId: path.replace(/^\/(api\/)?/, '').replace(/[^A-Za-z0-9]+/g, '_'),
    tags: [group],
    summary: about,
    parameters: Object.entries(params.properties as Record<string, TSchema & { description?: string }>).map(
      ([name, property]) => {
        const { description, ...rest } = plain(property) as { description?: string };
        const fallback = (property as { default?: unknown }).default;
        return {
          name,
          in: inPath.has(name) ? 'path' : 'query',
          required: inPath.has(name) || (required.has(name) && fallback === undefined),
          ...(description === undefined ? {} : { description }),
          ...(name in examples ? { example: examples[name] } : {}),
          schema: rest,
        };
      },
    ),
    responses: {
      200: { description: `${about} Lifetime: ${lifetime} s.`, content: { [contentType]: { schema } } },
      304: { description: 'Not changed since the entity tag given.' },
      400: problem('A parameter cannot be right.'),
      ...(inPath.size > 0 ? { 404: problem('There is no such subject.') } : {}),
      503: problem('The ledger is out of reach; try again as Retry-After says.'),
    },
  };
}

function problem(description: string): object {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** A schema as JSON Schema alone: without annotations of our own. */
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'must' ? undefined : value)));
}
