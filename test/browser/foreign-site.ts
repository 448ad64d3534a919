import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  /** For example `http://127.0.0.1:40123`. */
  address: string;
  close(): Promise<void>;
}

/** Starts a server of another origin on a free port. */
export async function listen(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<ListeningServer> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ForeignPage {
  body: string;
  /** Its Content-Security-Policy. Default: none. */
  policy?: string;
  /** Its stylesheet. Default: none. */
  css?: string;
}

/** Starts a foreign site. Its pages are found by path, and may be replaced at any time. */
export async function foreignSite(): Promise<
  ListeningServer & { put(path: string, page: ForeignPage): string }
> {
  const pages = new Map<string, ForeignPage>();
  const server = await listen((req, res) => {
    const page = pages.get(req.url ?? '');
    if (page === undefined) return res.writeHead(req.url === '/favicon.ico' ? 204 : 404).end();
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (page.policy !== undefined) res.setHeader('Content-Security-Policy', page.policy);
    const style = page.css === undefined ? '' : `<style>${page.css}</style>`;
    return res.end(
      `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Elsewhere</title>${style}</head><body><main>${page.body}</main></body></html>`,
    );
  });
  return {
    ...server,
    put(path, page) {
      pages.set(path, page);
      return server.address + path;
    },
  };
}
