import type { TObject, TSchema } from 'typebox';
import { lifetimes } from '../../cache/lifetimes.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { lazy } from '../../platform/once.ts';
import { type DescribedRoute, type Reference, type Route, sections } from '../routes.ts';
import { named, plain } from './named-schemas.ts';
import { deliveries, deliveryHeaders } from './webhooks/schemas.ts';

const examples: Readonly<Record<string, string>> = {
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  handle: 'ada',
  other: 'bram',
  sport: 'nfl',
  tier: 'elite',
  game: 'Tundra Owls @ Delta Rays',
  window: '30d',
};

/** Schema of a refusal's body (RFC 9457). */
const problemSchema = {
  title: 'Problem',
  description: 'RFC 9457',
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong and what to do.' },
    instance: { type: 'string' },
    errors: {
      type: 'array',
      description: 'One per invalid field or parameter.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'A JSON Pointer (RFC 6901).' },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
};

/** Sections of the API, as tags of the document. */
export const apiSections = Object.entries(sections).map(([name, description]) => ({ name, description }));

/** The parts of a document other than its routes. */
export interface ApiAbout {
  title: string;
  description: string;
  /** Of the service. */
  version: string;
  /** Address of the port. */
  url: string;
  sections: readonly { name: string; description: string }[];
  /** How clients authenticate. Default: not at all. */
  securitySchemes?: Readonly<Record<string, object>>;
  webhooks?: Readonly<Record<string, object>>;
}

/**
 * Builds the OpenAPI 3.1 document of the public API from the declared routes and webhook deliveries.
 * @param baseUrl public address of the service
 * @param version of the service
 */
export function openApi(routes: readonly Route[], baseUrl: string, version: string): object {
  return apiDocument(routes, {
    title: 'Public Picks',
    description:
      'A public ledger of sports picks. Every endpoint is free, without signup or API key. 21+ only.',
    version,
    url: baseUrl,
    sections: apiSections,
    webhooks: Object.fromEntries(Object.entries(deliveries).map(delivery)),
  });
}

/** An OpenAPI 3.1 document, made from what routes declare. */
export function apiDocument(
  routes: readonly DescribedRoute[],
  { title, description, version, url, sections: tags, securitySchemes = {}, webhooks }: ApiAbout,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (route.reference === undefined) continue;
    const path = route.path.replace(/[:*](\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, route.reference) };
  }
  const document = named({
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url }],
    security: Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] })),
    tags,
    paths,
    ...(webhooks === undefined ? {} : { webhooks }),
  });
  const isSecured = Object.keys(securitySchemes).length > 0;
  return isSecured
    ? { ...document, components: { ...(document.components as object), securitySchemes } }
    : document;
}

/** `/openapi.json`. */
export function openApiRoute(document: () => object): Route {
  const answer = lazy(() => {
    const text = JSON.stringify(document());
    return { etag: weakEntityTag(text), body: compressible(text), key: '/openapi.json', keep: {} };
  });
  return { method: 'GET', path: '/openapi.json', lifetime: lifetimes.board, handle: answer };
}

function operation({ method, lifetime, query, body }: DescribedRoute, reference: Reference<string>): object {
  const { id, section, about, params, headers, answer, refusals = {} } = reference;
  const { status = 200, type = 'application/json', schema, untagged = method !== 'GET' } = answer;
  return {
    operationId: id,
    tags: [section],
    summary: about,
    parameters: [
      ...parameters('path', params, reference),
      ...parameters('query', query, reference),
      ...parameters('header', headers, reference),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(body, reference) }),
    responses: {
      [status]: {
        description: typeof lifetime === 'number' ? `${about} Lifetime: ${lifetime} s.` : about,
        ...(schema === undefined
          ? {}
          : { content: { [type.split(';')[0] as string]: { schema: plain(schema) } } }),
      },
      ...(untagged ? {} : { 304: { description: 'Not modified since the given ETag.' } }),
      ...Object.fromEntries(Object.entries(refusals).map(([code, meaning]) => [code, problem(meaning)])),
      '4XX': problem('Any other refusal of the request.'),
      '5XX': problem('A failure of the service.'),
    },
  };
}

function parameters(
  place: 'path' | 'query' | 'header',
  declared: TObject | undefined,
  { examples: calls = [] }: Reference<string>,
) {
  if (declared === undefined) return [];
  const required = requiredOf(declared);
  return Object.entries(declared.properties as Record<string, TSchema>).map(([name, property]) => {
    const { description, ...schema } = plain(property) as { description?: string; type?: string };
    const isRequired = place === 'path' || required.includes(name);
    const example =
      examples[name] ?? (isRequired ? calls[0]?.[name]?.replace(/\{(\w+)\}/g, filled) : undefined);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example: schema.type === 'integer' ? Number(example) : example }),
      schema,
    };
  });
}

/** Replaces a `{name}` in an example with the example of that name, if one exists. */
function filled(reference: string, name: string): string {
  return examples[name] ?? reference;
}

/** Returns the required fields of a request: those without a default. */
function requiredOf(schema: TObject): string[] {
  const { properties, required = [] } = schema as {
    properties: Record<string, { default?: unknown }>;
    required?: string[];
  };
  return required.filter((name) => properties[name]?.default === undefined);
}

function requestBody(
  schema: TSchema,
  { bodyType = 'application/json', bodyExample }: Reference<string>,
): object {
  const isObject = (schema as { type?: string }).type === 'object';
  const required = isObject ? requiredOf(schema as TObject) : [];
  return {
    required: !isObject || required.length > 0,
    content: {
      [bodyType]: {
        schema: isObject ? { ...plain(schema), required } : plain(schema),
        ...(bodyExample === undefined ? {} : { example: bodyExample }),
      },
    },
  };
}

function problem(description: string): object {
  return { description, content: { 'application/problem+json': { schema: problemSchema } } };
}

function delivery([event, schema]: [string, TSchema]): [string, object] {
  const words = event.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return [
    event,
    {
      post: {
        operationId: `deliver${words.join('')}`,
        tags: ['webhooks'],
        summary: `The delivery of ${event}.`,
        parameters: Object.entries(deliveryHeaders).map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: plain(schema) } } },
        responses: { '2XX': { description: 'Received.' }, default: { description: 'Retried later.' } },
      },
    },
  ];
}
