// Tables and lists. Every page renders them here, so that each kind reads the same everywhere.

import { counted } from '../figures.ts';
import { type Html, html, type Value } from '../html.ts';
import { empty, fold } from './section.ts';

/**
 * Renders a table, whose first cell of a row names it. Rows of `standings` become cards on phones, where a heading of plain text labels the
 * cells of its column.
 * @param options.scroll names the table in a frame that scrolls
 */
export function table(
  columns: readonly (Html | string)[],
  rows: readonly (readonly Value[])[],
  { kind = 'standings split', scroll, caption }: { kind?: string; scroll?: string; caption?: string } = {},
): Html {
  const labels = columns.map(
    (column) => typeof column === 'string' && kind.startsWith('standings') && column.replace(/ \(.*/, ''),
  );
  const whole = html`<table class="${kind}">${caption !== undefined && html`<caption>${caption}</caption>`}
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first, ...others]) =>
    html`<tr><th scope="row">${first}</th>${others.map((cell, at) => html`<td${labels[at + 1] && html` data-label="${labels[at + 1]}"`}>${cell}</td>`)}</tr>
`,
)}</tbody></table>`;
  if (scroll === undefined) return whole;
  return html`<section class="scroll" tabindex="0" aria-label="${scroll}">${whole}</section>`;
}

export function lines(items: readonly Html[]): Html {
  return html`<ul class="finds">${items.map(
    (item) => html`<li>${item}</li>
`,
  )}</ul>`;
}

/** @param shown number of items that phones show before a fold, and the noun of one */
export function listed<T>(
  items: readonly T[],
  whyEmpty: Html | string,
  list: (items: readonly T[]) => Html,
  [shown, noun]: readonly [count: number, noun: string] = [Number.POSITIVE_INFINITY, ''],
): Html {
  if (items.length === 0) return empty(whyEmpty);
  const rest = items.slice(shown);
  return html`${list(items.slice(0, shown))}${rest.length > 0 && fold(counted(rest.length, `more ${noun}`), list(rest))}`;
}

/** @param kind `pairs`: one per line */
export function facts(rows: readonly (readonly [name: Value, value: Value] | false)[], kind = 'facts'): Html {
  return html`<dl class="${kind}">${rows.map(
    (row) =>
      row !== false &&
      html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>
`,
  )}</dl>`;
}

/** On phones, folded under its title. */
export function code(title: string, text: Html | string, id?: string): Html {
  return fold(
    title,
    html`<h3>${title}</h3>
<pre tabindex="0"><code${id !== undefined && html` id="${id}"`}>${text}</code></pre>
`,
  );
}
