import { type Html, html } from '../html.ts';

/** Renders a chart and, folded below it, its figures as a table, for readers who cannot see the chart or want to copy them. */
export function pictured(
  picture: Html,
  {
    caption,
    columns,
    rows,
  }: { caption: string; columns: readonly string[]; rows: readonly (readonly (Html | string | number)[])[] },
): Html {
  return html`<div class="picture"><figure>${picture}</figure>
<details><summary>View as table</summary>
<section class="scroll" tabindex="0" aria-label="${caption}"><table class="plain"><caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...rest
    ]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody></table></section></details></div>
`;
}
