import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The one stylesheet of all pages. */
export const stylesheet = Buffer.concat(
  ['site.css', 'ops.css'].map((name) => readFileSync(join(import.meta.dirname, name))),
);

/** Names its content: with it in the address a copy may be kept for ever. */
export const stylesheetHash = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 16);

export const stylesheetPath = '/assets/site.css';
