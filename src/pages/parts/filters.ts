import { provenances, tiers } from '../../rules/vocabulary.ts';
import { type Html, html } from '../html.ts';
import { labelOf, marketLabel } from '../labels.ts';

/** A link to one of several views of a page. */
export interface Choice {
  label: string;
  path: string;
  chosen: boolean;
}

/** Renders links of which one is the current view. */
export function choices(label: string, list: readonly Choice[]): Html {
  return html`<nav class="choices" aria-label="${label}"><ul>${list.map(
    ({ label: name, path, chosen }) =>
      html`<li><a href="${path}"${chosen && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;
}

/** Appends a query with the parameters that have a value, in the given order. */
export function pathWith(path: string, params: Record<string, string | null | undefined>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] != null);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/**
 * Renders a form that narrows a page, as a plain GET of the page's path.
 * @param kept parameters without a field in the form
 */
export function filterForm(
  path: string,
  fields: readonly Html[],
  kept: Readonly<Record<string, string | undefined>> = {},
): Html {
  return html`<form class="filters" action="${path}" method="get">
${Object.entries(kept).map(
  ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
)}${fields}
<button type="submit">Show</button>
</form>`;
}

export function field(
  name: string,
  label: string,
  {
    value,
    placeholder,
    pattern,
    length,
  }: { value: string | number | undefined; placeholder: string; pattern: string; length: number },
): Html {
  return html`<label>${label} <input type="text" name="${name}" value="${value}" placeholder="${placeholder}" pattern="${pattern}" size="${length}" maxlength="${length}" autocomplete="off"></label>
`;
}

/** Says which picks the figures on a page cover. */
export function provenanceSentence(provenance: string): string {
  if (provenance === 'all') return 'Live and imported picks.';
  return provenance === 'live'
    ? 'Live picks only.'
    : 'Imported picks only: nobody checked their times and odds.';
}

/** Returns the options of an optional drop-down. @param chosen is included even if it is not among the values */
export function options(values: readonly string[], label: (value: string) => string, chosen?: string) {
  const all = chosen === undefined ? values : new Set([...values, chosen]);
  return [{ value: '', label: 'All' }, ...[...all].map((value) => ({ value, label: label(value) }))];
}

export function select(
  name: string,
  label: string,
  options: readonly { value: string; label: string }[],
  chosen: string | undefined,
): Html {
  return html`<label>${label} <select name="${name}">${options.map(
    ({ value, label: text }) =>
      html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select></label>`;
}

/** Drop-downs shared by several forms, each for the parameter of its name. The empty option means all. */
export const selects = {
  sport: (
    keys: Iterable<string>,
    sports: ReadonlyMap<string, { label: string }>,
    chosen: string | undefined,
  ): Html =>
    select(
      'sport',
      'Sport',
      options([...keys], (key) => sports.get(key)?.label ?? key.toUpperCase(), chosen),
      chosen,
    ),
  market: (names: readonly string[], chosen: string | undefined): Html =>
    select('market', 'Market', options(names, marketLabel, chosen), chosen),
  tier: (chosen: string | undefined): Html =>
    select(
      'tier',
      'Tier',
      options(tiers, (key) => labelOf('tier', key)),
      chosen,
    ),
  provenance: (chosen: string | undefined): Html =>
    select(
      'provenance',
      'Picks',
      options(provenances, (key) => labelOf('provenance', key)),
      chosen,
    ),
  /** For pages whose default depends on the picks, so that "all" is a value too. */
  records: (shown: string): Html =>
    select(
      'provenance',
      'Picks',
      [
        ...provenances.map((value) => ({ value, label: labelOf('provenance', value) })),
        { value: 'all', label: 'All' },
      ],
      shown,
    ),
};
