import type { JsonSchema } from './schema-tree.ts';

/** The parts of an OpenAPI 3.1 operation that the reference uses. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: JsonSchema }> }>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  example?: unknown;
  schema: JsonSchema & { default?: unknown; minimum?: number; maximum?: number };
}

export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** A request of an endpoint as a command, with what it needs and nothing else; what only the reader knows is in capitals. */
export function exampleRequest({ method, path, operation }: Endpoint, baseUrl: string): string {
  const { parameters = [], requestBody } = operation;
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  const schema = requestBody?.content['application/json']?.schema;
  return [
    'curl --compressed',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...headers.map(({ name }) => `-H '${name}: SECRET'`),
    ...(requestBody?.required === true
      ? [`-H 'Content-Type: application/json'`, `-d '${exampleBody(schema)}'`]
      : []),
    `'${baseUrl}${exampleUrl(path, parameters)}'`,
  ].join(' ');
}

function exampleBody(schema: JsonSchema | undefined): string {
  return JSON.stringify(
    Object.fromEntries((schema?.required ?? []).map((name) => [name, name.toUpperCase()])),
  );
}

function exampleUrl(path: string, parameters: readonly Parameter[]): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, required, example = name.toUpperCase() } of parameters) {
    if (place === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)).replaceAll('%2F', '/'));
    if (place === 'query' && required) query.set(name, String(example));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}
