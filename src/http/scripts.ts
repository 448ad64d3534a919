import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { verifyScriptPath } from '../pages/verify/page.ts';
import { noneMatches } from './conditional.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

const source = resolve(import.meta.dirname, '..');
const proof = join(source, 'proof');

/**
 * What the page `/verify` runs: its own script, and the modules of the proof as they are, with their types taken out. They import one
 * another by name, so they keep their names.
 */
export function scriptRoutes(): Route[] {
  const modules = new Map(
    readdirSync(proof)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name, once(() => stripTypeScriptTypes(readFileSync(join(proof, name), 'utf8')))]),
  );
  const client = once(() => readFileSync(join(source, 'pages', 'verify', 'client.js'), 'utf8'));
  return [
    script(verifyScriptPath, () => client),
    script('/assets/proof/:module', ({ module }) => modules.get(module ?? '')),
  ];
}

interface Script {
  text: string;
  etag: string;
}

function once(make: () => string): () => Script {
  let made: Script | undefined;
  return () => {
    if (made === undefined) {
      const text = make();
      made = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
    }
    return made;
  };
}

function script(path: string, find: (params: Record<string, string>) => (() => Script) | undefined): Route {
  return {
    method: 'GET',
    path,
    handle(ctx) {
      const found = find(ctx.params as Record<string, string>);
      if (found === undefined) throw problem(404, `There is nothing at ${ctx.path}.`);
      const { text, etag } = found();
      ctx.set({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
      if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
        ctx.status = 304;
        return;
      }
      ctx.body = text;
      ctx.set('Content-Type', 'text/javascript; charset=utf-8');
    },
  };
}
