import { Lexer, lexer, type Token } from 'marked';
import { type Html, html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';
import { markup } from '../rules/markdown.ts';
import { viewerAssets, viewerPolicy } from './viewer.ts';

export interface ApiDocument {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string }>>;
}

/** @param document read when the page is rendered */
export function docsPage(document: () => ApiDocument): FixedPage {
  return {
    path: '/docs',
    policy: viewerPolicy,
    render: () => ({
      title: 'API reference',
      about: 'The public API of the ledger: every endpoint with its parameters and responses, to try here.',
      under: '/docs',
      head: viewerHead(),
      body: html`${pageHead({
        eyebrow: 'API reference',
        title: 'The public API',
        lead: html`Try every endpoint here: choose one, then <b>Execute</b>. Programs read the same from <a href="/openapi.json">openapi.json</a>. See also the <a href="/problems">problems</a> that answers name, and the <a href="/docs/widget">widget</a>.`,
      })}${reference(document())}`,
    }),
  };
}

export function viewerHead(): Html {
  const { style, bundle, script } = viewerAssets();
  return html`<link rel="stylesheet" href="${style.path}">
<script defer src="${bundle.path}"></script>
<script type="module" src="${script.path}"></script>
`;
}

/** Every operation by section, for readers without scripts and until the viewer has loaded. */
export function reference({ info, tags, paths }: ApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  );
  const words = (tokens: Token[]) => markup(tokens, { heading: info.title, resolve: (href) => ({ href }) });
  return html`<div id="reference">
<div class="entry"><div class="sheet">${words(lexer(info.description))}</div></div>
${tags.map(({ name, description }) =>
  section({
    heading: description,
    id: name,
    body: html`<ul class="pairs wide">
${operations
  .filter((operation) => operation.tags.includes(name))
  .map(
    ({ method, path, operationId, summary }) =>
      html`<li id="${operationId}"><code>${method !== 'GET' && `${method} `}${breakable(path)}</code> <span class="note">${words(Lexer.lexInline(summary))}</span></li>
`,
  )}</ul>`,
  }),
)}</div>
`;
}

function breakable(path: string): Html[] {
  return path.split('/').map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
}
