import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { curly, type Html, html } from '../html.ts';
import { table } from '../parts/lists.ts';

/** A part of a document: the text before its first heading of level 2, or such a heading with its text. */
interface Part {
  /** Undefined for the text before the first heading. */
  heading: string | undefined;
  tokens: Token[];
}

export interface Parsed {
  title: string;
  parts: readonly Part[];
}

export interface Surroundings {
  /** Names the part for screen readers. */
  heading: string;
  /** Resolves a link's target to an address of this site, or to the name of a file that the site does not serve. */
  resolve(target: string): { href: string } | { file: string };
}

/** @throws Error if the text does not start with a heading of level 1 */
export function parsed(text: string): Parsed {
  const [first, ...tokens] = lexer(text) as MarkedToken[];
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('the document has no title');
  const parts: Part[] = [{ heading: undefined, tokens: [] }];
  for (const token of tokens)
    if (token.type === 'heading' && token.depth === 2) parts.push({ heading: token.text, tokens: [] });
    else parts.at(-1)?.tokens.push(token);
  return { title: first.text, parts };
}

/** Returns the fragment of a heading as GitHub computes it, because documents link to it in both places. */
export function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');
}

/** From templates, so that raw HTML in a document cannot reach a page. @throws Error for a kind of token without markup */
export function markup(tokens: readonly Token[], around: Surroundings): Html[] {
  return (tokens as MarkedToken[]).map((token) => {
    const within = () => markup(('tokens' in token && token.tokens) || [], around);
    switch (token.type) {
      case 'space':
        return html``;
      case 'html':
        // Comments mark generated parts.
        if (token.raw.startsWith('<!--')) return html``;
        throw new Error('pages have no markup for raw HTML');
      case 'heading':
        return html`<h3 id="${fragmentOf(token.text)}">${within()}</h3>\n`;
      case 'paragraph':
        return html`<p>${within()}</p>\n`;
      case 'code':
        return html`<pre tabindex="0"><code>${token.text}</code></pre>\n`;
      case 'list':
        return listOf(token as Tokens.List, around);
      case 'table':
        return tableOf(token as Tokens.Table, around);
      case 'strong':
        return html`<strong>${within()}</strong>`;
      case 'em':
        return html`<em>${within()}</em>`;
      case 'codespan':
        return html`<code>${breakable(token.text)}</code>`;
      case 'link':
        return linkOf(around.resolve(token.href), within());
      case 'text':
        return token.tokens === undefined ? html`${curly(token.text)}` : html`${within()}`;
      case 'escape':
        return html`${token.text}`;
      default:
        throw new Error(`pages have no markup for Markdown of the kind "${token.type}"`);
    }
  });
}

/** Renders a long name that may break after its underscores and slashes, never within a word. */
function breakable(name: string): Html[] {
  return name.split(/(?<=\w[_/])(?=\w)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`);
}

function listOf({ ordered, items }: Tokens.List, around: Surroundings): Html {
  const lines = items.map(
    ({ tokens }) => html`<li>${markup(tokens, around)}</li>
`,
  );
  return ordered ? html`<ol class="prose">\n${lines}</ol>\n` : html`<ul class="prose">\n${lines}</ul>\n`;
}

function tableOf({ header, rows }: Tokens.Table, around: Surroundings): Html {
  const cells = (list: readonly Tokens.TableCell[]) =>
    list.map(({ tokens }) => html`${markup(tokens, around)}`);
  const names = header.map(({ text }) => text).join(', ');
  return table(cells(header), rows.map(cells), {
    kind: 'plain rules',
    scroll: `${around.heading}: ${names}`,
  });
}

function linkOf(target: { href: string } | { file: string }, text: readonly Html[]): Html {
  return 'href' in target
    ? html`<a href="${target.href}">${text}</a>`
    : html`${text} (<code>${target.file}</code>)`;
}
