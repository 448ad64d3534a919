import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LogClient } from '../../src/monitor/log-client.ts';
import { formatBundle, parseTilePath } from '../../src/proof/tiles.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';

/** Serves a log over HTTP as the service does, whatever its contents. */
export function serveLog(log: () => LogClient) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://127.0.0.1');
    answer(log(), pathname, searchParams).then(
      (body) => (body === undefined ? res.writeHead(404).end() : res.end(body)),
      (error) => res.writeHead(500).end(String(error)),
    );
  };
}

async function answer(
  log: LogClient,
  path: string,
  query: URLSearchParams,
): Promise<string | Uint8Array | undefined> {
  if (path === '/ledger/checkpoint') return log.checkpoint();
  if (path === '/ledger/key') return (await log.keys()).map(formatVerifierKey).join('\n');
  if (path === '/ledger/consistency')
    return JSON.stringify({
      hashes: await log.consistency(Number(query.get('from')), Number(query.get('to'))),
    });
  const [, seq] = /^\/ledger\/body\/(\d+)$/.exec(path) ?? [];
  if (seq !== undefined) return JSON.stringify({ body: await log.body(Number(seq)) });
  const [, uuid] = /^\/api\/picks\/(.+)\/receipt$/.exec(path) ?? [];
  if (uuid !== undefined) {
    const receipt = await log.receipt(uuid);
    return receipt === undefined ? undefined : JSON.stringify(receipt);
  }
  const [, name] = /^\/data\/(.+)$/.exec(path) ?? [];
  if (name !== undefined) return log.dataFile({ name, bytes: 0 });
  const tile = parseTilePath(path.slice('/ledger/'.length));
  if (tile?.level !== 'entries') return undefined;
  const entries: Uint8Array[] = [];
  for await (const some of log.entries(tile.index * 256, tile.index * 256 + tile.width))
    entries.push(...some);
  return formatBundle(entries);
}
