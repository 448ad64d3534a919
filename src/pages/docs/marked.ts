import { curly, type Html, html } from '../html.ts';

export function marked(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${curly(part)}`));
}
