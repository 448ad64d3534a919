import { escapeHtml } from '../formats/safe-text.ts';

const markup = Symbol('markup');

/** A piece of HTML that {@link html} made. Nothing else counts as one, so nothing that came in from outside can. */
export interface Html {
  readonly [markup]: string;
}

/** What a template takes: text is escaped, lists are joined, nothing is shown for what is absent. */
export type Value = Html | string | number | null | undefined | false | readonly Value[];

/** A template of HTML. Values stand for text, or for an attribute's value within double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = strings.map((part, index) => part + (index < values.length ? written(values[index]) : ''));
  return { [markup]: text.join('') };
}

/** The text of a piece of HTML. */
export function htmlText(piece: Html): string {
  return piece[markup];
}

function written(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if (isList(value)) return value.map(written).join('');
  return value[markup];
}

function isList(value: Html | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}
