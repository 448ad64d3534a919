import { type Html, html } from '../html.ts';

/** Renders links to the first and the next page of a list, if they exist. */
export function nextPage({
  first,
  next,
  label,
}: {
  first: string | undefined;
  next: string | undefined;
  /** Label of the link to the next page. */
  label: string;
}): Html | false {
  if (first === undefined && next === undefined) return false;
  return html`<nav class="paging" aria-label="Pages">${first !== undefined && html`<a href="${first}">First page</a>`}${
    next !== undefined && html` <a class="button" rel="next" href="${next}">${label}</a>`
  }</nav>`;
}
