import { provenances, results, tiers, windows } from '../../rules/vocabulary.ts';
import { type Html, html } from '../html.ts';
import { labelOf, marketLabel } from '../labels.ts';
import { monthText } from '../times.ts';
import type { Option } from './fields.ts';

export interface Choice {
  label: string;
  path: string;
  chosen: boolean;
}

export function choices(label: string, list: readonly Choice[]): Html {
  return html`<nav class="choices" aria-label="${label}"><ul>${list.map(
    ({ label: name, path, chosen }) =>
      html`<li><a href="${path}"${chosen && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;
}

export function sportChoices(sports: Iterable<{ key: string; label: string }>, chosen?: string): Html {
  return choices(
    'Sport',
    [...sports].map(({ key, label }) => ({ label, path: `/sport/${key}`, chosen: key === chosen })),
  );
}

/** Appends a query with the parameters that have a value, in the given order. */
export function pathWith(path: string, params: Record<string, string | null | undefined>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] != null);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export interface Filter {
  name: string;
  label: string;
  /** `''` is the usual value, which the address leaves out. */
  options: readonly Option[];
  /** The value shown; `''` or undefined is the usual one. */
  chosen: string | undefined;
  /** The value in the addresses of other choices. Default: `chosen` */
  kept?: string | undefined;
}

/** They apply at once. The first ones are rows that a phone scrolls; the others unfold. @param open number of filters always shown */
export function filterChips(path: string, filters: readonly Filter[], open = 1): Html {
  const current = Object.fromEntries(
    filters.map((each) => [each.name, ('kept' in each ? each.kept : each.chosen) || undefined]),
  );
  const row = ({ name, label, options, chosen = '' }: Filter) =>
    choices(
      label,
      // A phone shows what is chosen without scrolling.
      [...options]
        .sort((a, b) => Number(b.value === chosen) - Number(a.value === chosen))
        .map(({ value, label: text }) => ({
          label: text,
          path: pathWith(path, { ...current, [name]: value || undefined }),
          chosen: value === chosen,
        })),
    );
  const folded = filters.slice(open);
  const usual = ({ options, chosen = '' }: Filter) => options.find(({ value }) => value === chosen)?.label;
  return html`<div class="chips">${filters.slice(0, open).map(row)}${
    folded.length > 0 &&
    html`<details><summary>${folded.map(usual).filter(Boolean).join(' · ')}</summary>${folded.map(
      (each) => html`<p class="note">${each.label}</p>${row(each)}`,
    )}</details>`
  }</div>`;
}

export function provenanceSentence(provenance: string): string {
  if (provenance === 'all') return 'Live and imported picks.';
  return provenance === 'live'
    ? 'Live picks only.'
    : 'Imported picks only: nobody checked their times and odds.';
}

/** @param chosen is included even if it is not among the values */
function optionsOf(
  all: string,
  values: Iterable<string>,
  label: (value: string) => string,
  chosen?: string,
): Option[] {
  const known = [...values];
  const shown = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
  return [{ value: '', label: all }, ...shown.map((value) => ({ value, label: label(value) }))];
}

export const filtersBy = {
  sport: (
    keys: Iterable<string>,
    sports: ReadonlyMap<string, { label: string }>,
    chosen: string | undefined,
  ): Filter => ({
    name: 'sport',
    label: 'Sport',
    options: optionsOf('All sports', keys, (key) => sports.get(key)?.label ?? key.toUpperCase(), chosen),
    chosen,
  }),
  market: (names: readonly string[], chosen: string | undefined): Filter => ({
    name: 'market',
    label: 'Market',
    options: optionsOf('All markets', names, marketLabel, chosen),
    chosen,
  }),
  month: (chosen: string | undefined): Filter[] =>
    chosen === undefined
      ? []
      : [{ name: 'month', label: 'Month', options: optionsOf('All months', [chosen], monthText), chosen }],
  leastPicks: (chosen: string | undefined): Filter => ({
    name: 'min_picks',
    label: 'Minimum picks',
    options: optionsOf(
      'Any number of picks',
      ['10', '50', '100', '500'],
      (least) => `${least} picks or more`,
    ),
    chosen,
  }),
  tier: (chosen: string | undefined): Filter => ({
    name: 'tier',
    label: 'Tier',
    options: optionsOf('All tiers', tiers, (key) => labelOf('tier', key)),
    chosen,
  }),
  window: (name: string, chosen: string | undefined): Filter => ({
    name,
    label: 'Period',
    options: optionsOf(
      labelOf('window', 'all'),
      windows.filter((each) => each !== 'all').toReversed(),
      (key) => labelOf('window', key),
    ),
    chosen,
  }),
  result: (chosen: string | undefined): Filter => ({
    name: 'result',
    label: 'Result',
    options: optionsOf('All results', ['pending', ...results], (key) => labelOf('result', key)),
    chosen,
  }),
  /** The usual picks depend on what there is, so that all picks are a value too. @param kept what the reader chose */
  records: (chosen: string, kept: string | undefined): Filter => ({
    name: 'provenance',
    label: 'Picks',
    options: [
      ...provenances.map((value) => ({ value, label: `${labelOf('provenance', value)} picks` })),
      { value: 'all', label: 'Live and imported' },
    ],
    chosen,
    kept,
  }),
};

export function nextPage({
  first,
  next,
  label,
}: {
  first: string | undefined;
  next: string | undefined;
  label: string;
}): Html | false {
  if (first === undefined && next === undefined) return false;
  return html`<nav class="paging" aria-label="Pages">${first !== undefined && html`<a href="${first}">First page</a>`}${
    next !== undefined && html` <a class="button" rel="next" href="${next}">${label}</a>`
  }</nav>`;
}
