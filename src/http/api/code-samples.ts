export interface SampleRequest {
  method: string;
  url: string;
  /** Beside the content type. */
  headers: Readonly<Record<string, string>>;
  body?: { type: string; value: object } | undefined;
  isJson: boolean;
}

/** Returns a request in each language, for `x-codeSamples` of an OpenAPI document. Values that only the reader knows are in capitals. */
export function codeSamples(request: SampleRequest): { lang: string; label: string; source: string }[] {
  return [
    { lang: 'shell', label: 'curl', source: curl(request) },
    { lang: 'python', label: 'Python', source: python(request) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(request) },
  ];
}

const json = 'application/json';
const files = 'multipart/form-data';

function curl({ method, url, headers, body }: SampleRequest): string {
  const option = body?.type === files ? '-F' : '-d';
  return [
    'curl --compressed',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : body.type === json
        ? [`-H 'Content-Type: ${json}'`, `-d ${shell(JSON.stringify(body.value))}`]
        : Object.entries(body.value).map(([name, value]) => `${option} ${shell(`${name}=${value}`)}`)),
    shell(url),
  ].join(' \\\n  ');
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function python({ method, url, headers, body, isJson }: SampleRequest): string {
  const named = Object.keys(headers).length === 0 ? [] : [`headers=${pythonValue(headers)}`];
  return `import requests

response = requests.${method.toLowerCase()}(${[JSON.stringify(url), ...named, ...pythonBody(body)].join(', ')})
response.raise_for_status()
print(response.${isJson ? 'json()' : 'text'})`;
}

function pythonBody(body: SampleRequest['body']): string[] {
  if (body === undefined) return [];
  if (body.type === json) return [`json=${pythonValue(body.value)}`];
  if (body.type !== files) return [`data=${pythonValue(body.value)}`];
  const opened = Object.entries(body.value).map(
    ([name, path]) => `${JSON.stringify(name)}: open(${JSON.stringify(String(path).slice(1))}, "rb")`,
  );
  return [`files={${opened.join(', ')}}`];
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`);
  return `{${fields.join(', ')}}`;
}

function typescript({ method, url, headers, body, isJson }: SampleRequest): string {
  const all = { ...headers, ...(body?.type === json ? { 'Content-Type': json } : {}) };
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(all).length === 0 ? [] : [`  headers: ${JSON.stringify(all)},`]),
    ...(body === undefined ? [] : [`  body: ${typescriptBody(body)},`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `${body?.type === files ? "import { openAsBlob } from 'node:fs';\n\n" : ''}const response = await fetch(${JSON.stringify(url)}${given});
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isJson ? 'json' : 'text'}());`;
}

function typescriptBody({ type, value }: NonNullable<SampleRequest['body']>): string {
  if (type === json) return `JSON.stringify(${JSON.stringify(value)})`;
  if (type !== files) return `new URLSearchParams(${JSON.stringify(value)})`;
  const parts = Object.entries(value).map(([name, path]) => {
    const file = JSON.stringify(String(path).slice(1));
    return `form.set(${JSON.stringify(name)}, await openAsBlob(${file}), ${file});`;
  });
  return `await (async () => { const form = new FormData(); ${parts.join(' ')} return form; })()`;
}
