import type { JsonSchema } from './schema-tree.ts';

/** The parts of an OpenAPI 3.1 operation that the reference uses. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema; example?: unknown }> };
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

/**
 * Returns a minimal curl command for an endpoint. Values that only the reader knows are in capitals.
 * @param credentials options of curl that authenticate the request
 */
export function exampleRequest(
  { method, path, operation }: Endpoint,
  baseUrl: string,
  credentials: readonly string[] = [],
): string {
  const { parameters = [], requestBody } = operation;
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  return [
    'curl --compressed',
    ...credentials,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...headers.map(({ name }) => `-H '${name}: SECRET'`),
    ...(requestBody?.required === true ? bodyOptions(requestBody.content) : []),
    `'${baseUrl}${exampleUrl(path, parameters)}'`,
  ].join(' ');
}

function bodyOptions(content: NonNullable<Operation['requestBody']>['content']): string[] {
  const [type, { schema, example }] = Object.entries(content)[0] ?? ['', {}];
  const given =
    example ?? Object.fromEntries((schema?.required ?? []).map((name) => [name, name.toUpperCase()]));
  if (type === 'application/json')
    return [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(given).replaceAll("'", "'\\''")}'`];
  const option = type === 'multipart/form-data' ? '-F' : '-d';
  return Object.entries(given as object).map(([name, value]) => `${option} '${name}=${String(value)}'`);
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
