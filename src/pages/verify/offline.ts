import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { lazy } from '../../platform/once.ts';
import { html, htmlText } from '../html.ts';
import { stylesheet } from '../stylesheet.ts';
import { verifyBody } from './page.ts';

export const offlinePath = '/verify.html';

const proof = resolve(import.meta.dirname, '..', '..', 'proof');

/**
 * Returns `/verify` as one file that needs no other, to save and open without a network, and its policy: it runs its own script and style,
 * known by their hashes, and reads only from the site that it came from.
 */
export const offlinePage = lazy((): { body: string; policy: string } => {
  const script = oneScript('client.js', readFileSync(join(import.meta.dirname, 'client.js'), 'utf8'));
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

/**
 * Joins a module and those of `src/proof` that it imports to one script. Each becomes a function that returns what it exports.
 * @throws Error if a module imports or exports in a form that is not known here
 */
function oneScript(name: string, entry: string): string {
  const names = new Map<string, string>();
  const parts: string[] = [];

  /** Adds a module after those that it imports. @returns the name of its exports */
  const add = (file: string): string => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const { code, exported } = linked(file, stripTypeScriptTypes(readFileSync(join(proof, file), 'utf8')));
    const module = `m${names.size}`;
    names.set(file, module);
    parts.push(`const ${module} = (() => {\n${code}\nreturn { ${exported.join(', ')} };\n})();\n`);
    return module;
  };

  const linked = (file: string, source: string) => {
    const exported: string[] = [];
    const code = source
      .replace(
        /^import \{([^}]*)\} from '(?:\.|\/assets\/proof)\/([\w-]+\.ts)';$/gm,
        (_, list: string, from: string) => {
          const taken = list.split(',').map((each) => each.trim().replace(/ as /, ': '));
          return `const { ${taken.filter(Boolean).join(', ')} } = ${add(from)};`;
        },
      )
      .replace(/^export ((?:async )?function\*?|const|class) (\w+)/gm, (_, kind: string, symbol: string) => {
        exported.push(symbol);
        return `${kind} ${symbol}`;
      });
    if (/^(import|export)\b/m.test(code)) throw new Error(`${file} has an import or export in another form`);
    return { code, exported };
  };

  const last = linked(name, entry);
  // Nothing in it may end the element.
  return `${parts.join('')}${last.code}`.replaceAll('</', '<\\/');
}
