import { type Html, html, type Value } from '../html.ts';

interface SectionLink {
  path: string;
  label: string;
}

export interface Section {
  heading: Html | string;
  id: string;
  /** A remark next to the heading: what the section shows. */
  note?: Html | string | undefined;
  /** Link to the explanation of its figures: a fragment of `/how`, possibly after a query that chooses the example. */
  how?: string | undefined;
  /** Links to the same data for programs, in a menu with the explanation. Default label: JSON. */
  data?: readonly (Omit<SectionLink, 'label'> & Partial<SectionLink>)[];
  links?: readonly SectionLink[];
  body: Html;
}

/** Renders a section of a page. Its heading is in the margin on wide screens. */
export function section({ heading, id, note, how, data = [], links = [], body }: Section): Html {
  const menu = [...(how === undefined ? [] : [{ path: `/how${how}`, label: 'Method' }]), ...data];
  const list = (some: NonNullable<Section['data']>) =>
    some.map(({ path, label = 'JSON' }) => html`<a href="${path}">${label}</a> `);
  return html`<section class="entry" aria-labelledby="${id}">
<div class="margin"><h2 id="${id}">${heading}</h2>
${menu.length > 0 && html`<details class="menu"><summary aria-label="Method and data">···</summary><p class="also">${list(menu)}</p></details>`}
${note !== undefined && html`<p class="note">${note}</p>`}
${links.length > 0 && html`<p class="also">${list(links)}</p>`}</div>
<div class="sheet">
${body}
</div>
</section>
`;
}

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

export function empty(sentence: Html | string): Html {
  return html`<p class="empty">${sentence}</p>`;
}

export function part(body: Value, id?: string): Html {
  return html`<div class="entry"><div class="sheet"${id !== undefined && html` id="${id}"`}>${body}</div></div>`;
}
