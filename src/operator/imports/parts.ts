import { type FileKind, fileKinds } from '../../intake/kinds.ts';
import { counted, countText } from '../../pages/figures.ts';
import { type Html, html } from '../../pages/html.ts';
import { plain } from '../../pages/labels.ts';
import { empty } from '../../pages/parts/section.ts';
import { fullText } from '../../pages/times.ts';
import type { Counts } from '../../sources/files.ts';

/** Number of rows shown. Others are folded. */
const open = 25;

export function folded(items: readonly Html[], noun: string): Html {
  const rest = items.length - open;
  return html`<ul class="finds rows">
${items.slice(0, open)}</ul>
${
  rest > 0 &&
  html`<details><summary>${counted(rest, `more ${noun}`)}</summary>
<ul class="finds rows">
${items.slice(open)}</ul>
</details>`
}`;
}

export function rowItem({
  where,
  text,
  more,
}: {
  where: string;
  text: string;
  more: readonly string[];
}): Html {
  return html`<li><b>${where}</b> ${readable(text)}${more.map((each) => html`<span class="hint">${readable(each)}</span>`)}</li>
`;
}

export function locationText(file: string, line: number, isOfSeveral: boolean): string {
  return isOfSeveral ? `${file}, row ${line}` : `Row ${line}`;
}

/** Writes instants as the other pages do. */
export function readable(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, (instant) => fullText(instant));
}

/** Singular nouns of the kinds. */
export const kindNouns: Readonly<Record<FileKind, string>> = {
  cappers: 'capper',
  games: 'game',
  lines: 'price',
  picks: 'pick',
  results: 'result',
  stats: 'statistic',
};

/**
 * Renders the number of rows by kind and outcome.
 * @param isStored whether the rows are stored, or would be
 */
export function countTable(counts: Readonly<Record<FileKind, Counts>>, isStored: boolean): Html {
  const lines = fileKinds.flatMap((kind) => {
    const parts = Object.entries(counts[kind]).filter(([, count]) => count > 0);
    return parts.length === 0 ? [] : [{ kind, parts }];
  });
  if (lines.length === 0) return empty(isStored ? 'Nothing.' : 'Nothing can be stored yet.');
  return html`<dl class="counts">${lines.map(
    ({ kind, parts }) => html`<dt>${plain(`${kindNouns[kind]}s`)}</dt><dd>${parts
      .map(([outcome, count]) => `${countText(count)} ${said(outcome as keyof Counts, isStored)}`)
      .join(', ')}</dd>
`,
  )}</dl>`;
}

function said(outcome: keyof Counts, isStored: boolean): string {
  const words: Readonly<Record<keyof Counts, string>> = {
    added: isStored ? 'added' : 'new',
    updated: isStored ? 'changed' : 'to change',
    unchanged: 'already stored',
    'left out': 'left out, in the future',
    refused: 'not stored',
  };
  return words[outcome];
}
