import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazy } from '../../platform/once.ts';
import type { Asset } from '../stylesheet.ts';

/**
 * Swagger UI over an OpenAPI document of this origin: it runs without `unsafe-eval`, inline styles, or requests to anyone else, and its
 * package is one bundle. Its files are served as the package has them.
 */
export const viewerAssets = lazy(() => ({
  style: asset(packaged('swagger-ui.css')),
  bundle: asset(packaged('swagger-ui-bundle.js')),
  script: asset(join(import.meta.dirname, 'viewer.client.js')),
}));

export const viewerFolder = '/assets/viewer/';

/** Policy of a page with the viewer: like that of every page, and for icons that its stylesheet has as `data:`. */
export const viewerPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

function packaged(file: string): string {
  return fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`));
}

function asset(file: string): Asset {
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const type = extname(file);
  return {
    path: `${viewerFolder}${basename(file, type)}.${hash}${type}`,
    contentType: type === '.css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    bytes,
  };
}
