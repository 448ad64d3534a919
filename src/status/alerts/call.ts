/** Milliseconds that a call may take in all. */
const patienceMs = 10_000;
/** Bytes of an answer that are read. */
const mostBytes = 4096;

export interface Called {
  /** 0 where nobody answered. */
  status: number;
  headers: Headers;
  /** Its beginning. */
  body: string;
  /** Why nobody answered, without the address. */
  error?: string;
}

/** Posts JSON. Never rejects, follows no redirect, waits 10 seconds at most and reads 4 KiB. */
export function post(url: URL, body: object): Promise<Called> {
  return call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** As {@link post}, with a GET. */
export function get(url: URL): Promise<Called> {
  return call(url, { method: 'GET' });
}

async function call(url: URL, request: RequestInit): Promise<Called> {
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: response.status, headers: response.headers, body: await beginning(response) };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: 0, headers: new Headers(), body: '', error: cause?.code ?? name };
  }
}

async function beginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < mostBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  // Not waited for: there may be no end to it.
  reader?.cancel().catch(() => {});
  return Buffer.concat(parts).subarray(0, mostBytes).toString();
}
