import { setTimeout as pause } from 'node:timers/promises';
import { Refusal, type Say } from './refusal.ts';
import type { Supervisor } from './supervisor.ts';

interface ReadinessOptions {
  /** The address that says whether the service is ready. */
  url: string;
  /** The processes that must not keep ending. */
  names: string[];
  supervisor: Supervisor;
  say: Say;
  aborted: AbortSignal;
  /** Milliseconds after which the start is given up; default two minutes. */
  maxWaitMs?: number;
}

/** How often a process may end in a row before the service was ever ready. */
const endingsAllowed = 5;

/**
 * Waits until the service says that it is ready, by status 200; says every 15 seconds what it waits for.
 * @throws Refusal when a process ends five times in a row, or the service is not ready in time
 */
export async function readyToServe(options: ReadinessOptions): Promise<void> {
  const { url, names, supervisor, say, aborted, maxWaitMs = 120_000 } = options;
  const deadline = Date.now() + maxWaitMs;
  let sayNext = Date.now() + 15_000;
  for (;;) {
    aborted.throwIfAborted();
    const answer = await statusOf(url);
    if (answer === '200') return;
    const failing = names.find((name) => supervisor.endings(name) >= endingsAllowed);
    if (failing !== undefined) {
      throw new Refusal(`${failing} ended ${endingsAllowed} times in a row; what it said is above.`);
    }
    if (Date.now() >= deadline) {
      throw new Refusal(`Not ready after ${Math.round(maxWaitMs / 1000)} seconds: ${url} (${answer}).`);
    }
    if (Date.now() >= sayNext) {
      say(`Still waiting for ${url} (${answer}) ...`);
      sayNext += 15_000;
    }
    await pause(50);
  }
}

/** An `import` of `node:http` loads what `fetch` is made of as well, while the processes need both processors. */
const http = process.getBuiltinModule('node:http');

function statusOf(url: string): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    request.once('timeout', () => {
      resolve('no answer within 5 s');
      request.destroy();
    });
    request.once('error', () => resolve('no answer'));
  });
}
