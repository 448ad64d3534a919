import { counted } from '../figures.ts';
import { type Html, html } from '../html.ts';

export interface Section {
  heading: Html | string;
  /** Fragment of links to the section. */
  id: string;
  /** A remark next to the heading: what the section shows. */
  note?: Html | string | undefined;
  /** Link to the explanation of its figures: a fragment of `/how`, possibly after a query that chooses the example. */
  how?: string | undefined;
  /** Links to the same data as JSON, or to a page with more of it. */
  links?: readonly { path: string; label: string }[];
  body: Html;
}

/** Renders a section of a page. Its heading is in the margin on wide screens. */
export function section({ heading, id, note, how, links = [], body }: Section): Html {
  const further = [...(how === undefined ? [] : [{ path: `/how${how}`, label: 'Method' }]), ...links];
  return html`<section class="entry" aria-labelledby="${id}">
<div class="margin"><h2 id="${id}">${heading}</h2>
${note !== undefined && html`<p class="note">${note}</p>`}
${further.length > 0 && html`<p class="also">${further.map(({ path, label }) => html`<a href="${path}">${label}</a> `)}</p>`}</div>
<div class="sheet">
${body}
</div>
</section>
`;
}

/** Renders the head of a page: its topic, with a remark in the margin. */
export function pageHead({
  eyebrow,
  title,
  lead,
}: {
  eyebrow: Html | string;
  title: Html | string;
  lead?: Html | string | undefined;
}): Html {
  return html`<header class="entry opening">
<p class="margin eyebrow">${eyebrow}</p>
<div class="sheet"><h1>${title}</h1>
${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>
</header>
`;
}

/**
 * Renders content that is folded on phones. Wider screens show the body without its summary (`styles/parts.css`). A leading heading of
 * level 3 shows only there.
 */
export function fold(summary: string, body: Html): Html {
  return html`<details class="more fold"><summary>${summary}</summary>
${body}</details>
`;
}

/**
 * Renders a list whose tail is folded on phones.
 * @param noun names one item: `group`
 */
export function foldRest<T>(
  items: readonly T[],
  shown: number,
  noun: string,
  list: (items: readonly T[]) => Html,
): Html {
  const rest = items.slice(shown);
  return html`${list(items.slice(0, shown))}${rest.length > 0 && fold(counted(rest.length, `more ${noun}`), list(rest))}`;
}

/** Renders a sentence for an empty list: why it is empty, and what to do. */
export function empty(sentence: Html | string): Html {
  return html`<p class="empty">${sentence}</p>`;
}
