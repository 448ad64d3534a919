// Requests each of many paths once: `fork('readers.ts')`, then messages of {@link Asked}. Each is answered with every answer's time in
// milliseconds, the shortest first.

import { request } from 'undici';

export interface Asked {
  address: string;
  paths: readonly string[];
  /** The number of concurrent requests. */
  atOnce: number;
}

process.on('message', async ({ address, paths, atOnce }: Asked) => {
  const ask = async (path: string) => {
    const { statusCode, body } = await request(address + path, { headers: { 'Accept-Encoding': 'br' } });
    await body.dump();
    if (statusCode !== 200 && statusCode !== 404) throw new Error(`${path} answered ${statusCode}`);
  };
  // Excludes what the client compiles for its first request.
  await ask('/readyz');
  const times: number[] = [];
  let next = 0;
  const reader = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const began = performance.now();
      await ask(path);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
  process.send?.(times.toSorted((a, b) => a - b));
});
