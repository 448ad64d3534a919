import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lazy } from '../../platform/once.ts';
import { html, htmlText } from '../html.ts';
import { joinedScript } from '../joined-script.ts';
import { stylesheet } from '../stylesheet.ts';
import { verifyBody } from './page.ts';

export const offlinePath = '/verify.html';

/**
 * Returns `/verify` as one file that needs no other, to save and open without a network, and its policy: it runs its own script and style,
 * known by their hashes, and reads only from the site that it came from.
 */
export const offlinePage = lazy((): { body: string; policy: string } => {
  // Nothing in it may end the element.
  const script = joinedScript(join(import.meta.dirname, 'client.js')).replaceAll('</', '<\\/');
  // Fonts would be other files.
  const style = stylesheet.toString().replace(/@font-face \{.*?\n\}\n/gs, '');
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; connect-src 'self'; base-uri 'none'; form-action 'none'`;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Verify a receipt · Public Picks</title>
<style>${style}</style>
</head>
<body>
<main id="content">
${htmlText(verifyBody(html`This file works offline: save it, and keep the key of the log with it`))}
</main>
<script type="module">${script}</script>
</body>
</html>
`;
  return { body, policy: `${policy}; frame-ancestors 'none'` };
});

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
