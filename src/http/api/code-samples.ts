export interface SampleRequest {
  method: string;
  url: string;
  /** Beside the content type. */
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object | undefined;
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

function curl({ method, url, headers, body }: SampleRequest): string {
  return [
    'curl --compressed',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${json}'`, `-d ${shell(JSON.stringify(body))}`]),
    shell(url),
  ].join(' \\\n  ');
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function python({ method, url, headers, body, isJson }: SampleRequest): string {
  const named = Object.keys(headers).length === 0 ? [] : [`headers=${pythonValue(headers)}`];
  const sent = body === undefined ? [] : [`json=${pythonValue(body)}`];
  return `import requests

response = requests.${method.toLowerCase()}(${[JSON.stringify(url), ...named, ...sent].join(', ')})
response.raise_for_status()
print(response.${isJson ? 'json()' : 'text'})`;
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
  const all = { ...headers, ...(body === undefined ? {} : { 'Content-Type': json }) };
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(all).length === 0 ? [] : [`  headers: ${JSON.stringify(all)},`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${JSON.stringify(url)}${given});
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isJson ? 'json' : 'text'}());`;
}
