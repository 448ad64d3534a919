import { type FileKind, fileKinds } from '../../intake/kinds.ts';
import { counted, countText } from '../../pages/figures.ts';
import { type Html, html } from '../../pages/html.ts';
import { plain } from '../../pages/labels.ts';
import { facts } from '../../pages/parts/lists.ts';
import { empty, section } from '../../pages/parts/section.ts';
import { fullText } from '../../pages/times.ts';
import type { Counts, Refusal } from '../../sources/files.ts';
import { withPageLabels } from './choices.ts';

/** Number of rows shown. Others are folded. */
const open = 25;

/** Renders a section with a list of rows, or of remarks; nothing if the list is empty. @param noun of the rows; undefined for remarks */
export function listed(
  heading: string,
  id: string,
  items: readonly Html[],
  { note, noun }: { note?: string; noun?: string } = {},
): Html | false {
  const rest = items.length - open;
  const list = (some: readonly Html[]) => html`<ul class="finds">
${some}</ul>
`;
  const body =
    noun === undefined
      ? html`<ul class="prose">${items}</ul>`
      : html`${list(items.slice(0, open))}${
          rest > 0 &&
          html`<details><summary>${counted(rest, `more ${noun}`)}</summary>
${list(items.slice(open))}</details>`
        }`;
  return items.length > 0 && section({ heading, id, note, body });
}

export function remark(text: string): Html {
  return html`<li>${readable(text)}</li>`;
}

/** Renders remarks about rows, each with its number of rows. */
export function noteList(notes: ReadonlyMap<string, number>): Html | false {
  return listed(
    'Notes',
    'notes',
    [...notes].map(([note, count]) => remark(count > 1 ? `${note} (${count} rows)` : note)),
  );
}

export function rowItem(where: string, text: string, more: readonly string[] = []): Html {
  return html`<li><b>${where}</b> ${readable(text)}${more.map((each) => html`<span class="hint">${readable(each)}</span>`)}</li>
`;
}

/** Renders a refused row. @param isOfSeveral whether the rows come from several tables */
export function refusedItem(
  { file, line, reason }: Refusal,
  isOfSeveral: boolean,
  more: readonly string[] = [],
): Html {
  return rowItem(locationText(file, line, isOfSeveral), withPageLabels(reason), more);
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
  const kinds = fileKinds.flatMap((kind) => {
    const parts = Object.entries(counts[kind]).filter(([, count]) => count > 0);
    const words = parts.map(
      ([outcome, count]) => `${countText(count)} ${said(outcome as keyof Counts, isStored)}`,
    );
    return words.length === 0 ? [] : [[plain(`${kindNouns[kind]}s`), words.join(', ')] as const];
  });
  return kinds.length === 0
    ? empty(isStored ? 'Nothing.' : 'Nothing can be stored yet.')
    : facts(kinds, 'pairs');
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
