import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { entityTag } from '../../cache/representation.ts';
import { clientPath } from '../../pages/layout.ts';
import { verifyScriptPath } from '../../pages/verify/page.ts';
import { lazy } from '../../platform/lazy.ts';
import { cacheControl, problem } from '../answer.ts';
import type { Route } from '../routes.ts';

const source = resolve(import.meta.dirname, '..', '..');
const proof = join(source, 'proof');

/**
 * What pages run: one script on all of them, so that none makes more than six requests, and on `/verify` its own script and the modules of
 * `src/proof` with their types stripped. The modules import one another by name, so they keep their names.
 */
export function scriptRoutes(): Route[] {
  const modules = new Map(
    readdirSync(proof)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [
        name,
        lazy(() => tagged(stripTypeScriptTypes(readFileSync(join(proof, name), 'utf8')))),
      ]),
  );
  const client = (path: string) => lazy(() => tagged(readFileSync(join(source, 'pages', path), 'utf8')));
  const [all, verify] = [client('client.js'), client('verify/client.js')];
  return [
    script(clientPath, () => all),
    script(verifyScriptPath, () => verify),
    script('/assets/proof/:module', ({ module }) => modules.get(module ?? '')),
  ];
}

interface Script {
  body: string;
  etag: string;
}

function tagged(body: string): Script {
  return { body, etag: entityTag(body) };
}

function script(
  path: string,
  find: (params: Readonly<Record<string, string>>) => (() => Script) | undefined,
): Route {
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(300),
    handle(request) {
      const found = find(request.params);
      if (found === undefined) throw problem(404, `There is nothing at ${request.path}.`);
      return { type: 'text/javascript; charset=utf-8', ...found(), key: request.path, keep: {} };
    },
  };
}
