import { counted } from '../figures.ts';
import { type Html, html } from '../html.ts';

export interface Section {
  heading: Html | string;
  /** The fragment by which it is linked to. */
  id: string;
  /** A remark beside the heading: what the section shows. */
  note?: Html | string | undefined;
  /** Link to the explanation of its figures: a fragment of `/how`, after a query that chooses the example. */
  how?: string | undefined;
  /** The same data for programs, or a page with more of it. */
  links?: readonly { path: string; label: string }[];
  body: Html;
}

/** A section of a page. Its heading is in the margin on wide screens. */
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

/** The head of a page: what it is about, with a remark in the margin. */
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
 * Folded on phones; wider screens show the body without its summary (`styles/parts.css`). A leading heading of level 3 shows only there.
 */
export function fold(summary: string, body: Html): Html {
  return html`<details class="more fold"><summary>${summary}</summary>
${body}</details>
`;
}

/**
 * A list whose tail is folded on phones.
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

/** Shown when there is nothing to list: a sentence that says why, and what to do. */
export function empty(sentence: Html | string): Html {
  return html`<p class="empty">${sentence}</p>`;
}
