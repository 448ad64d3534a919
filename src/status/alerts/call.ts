import type { Answer } from '../../webhooks/platforms/platform.ts';

/** Milliseconds that a call may take in all. */
const timeoutMs = 10_000;
/** Bytes of an answer that are read. */
const maxBytes = 4096;

export interface Called extends Answer {
  /** 0 where there was no answer. */
  status: number;
  /** Why there was none, without the address. */
  error?: string;
}

/** Posts JSON. Never rejects, follows no redirect, waits 10 seconds at most and reads 4 KiB. */
export function post(url: URL, body: string): Promise<Called> {
  return call(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
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
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await beginning(response),
    };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: 0, headers: {}, body: '', error: cause?.code ?? name };
  }
}

async function beginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  // Not waited for: there may be no end to it.
  reader?.cancel().catch(() => {});
  return Buffer.concat(parts).subarray(0, maxBytes).toString();
}
