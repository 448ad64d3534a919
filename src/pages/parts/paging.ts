import { type Html, html } from '../html.ts';

/** Links from a page of a list to the first one and to the next, as far as there are such. */
export function nextPage({
  first,
  next,
  label,
}: {
  first: string | undefined;
  next: string | undefined;
  /** What is on the next page. */
  label: string;
}): Html | false {
  if (first === undefined && next === undefined) return false;
  return html`<nav class="paging" aria-label="Pages">${first !== undefined && html`<a href="${first}">To the first page</a>`}${
    next !== undefined && html` <a class="button" rel="next" href="${next}">${label}</a>`
  }</nav>`;
}
