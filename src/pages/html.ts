import { escapeHtml } from '../boards/formats/safe-text.ts';

const markup = Symbol('markup');

/** A fragment of HTML made by {@link html}. No other value counts as one, so outside input cannot. */
export interface Html {
  readonly [markup]: string;
}

/** A value of a template. Text is escaped, lists are joined, and absent values are omitted. */
export type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Renders a template. Values are element text or attribute values within double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = strings.map((part, index) => part + (index < values.length ? written(values[index]) : ''));
  return { [markup]: text.join('') };
}

/** JSON-LD, which browsers never run, so a strict Content-Security-Policy allows it. Characters that could end the element are escaped. */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { [markup]: `<script type="application/ld+json">${json}</script>\n` };
}

/** Replaces straight apostrophes and quotation marks with curly ones, in text that programs read too, such as the API's descriptions. */
export function curly(text: string): string {
  return text.replaceAll("'", '’').replace(/"([^"]*)"/g, '“$1”');
}

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
