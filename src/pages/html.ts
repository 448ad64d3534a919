import { escapeHtml } from '../boards/formats/safe-text.ts';

const markup = Symbol('markup');

/** A piece of HTML that {@link html} made. Nothing else counts as one, so nothing that came in from outside can. */
export interface Html {
  readonly [markup]: string;
}

/** A value of a template. Text is escaped, lists are joined, and absent values are left out. */
export type Value = Html | string | number | null | undefined | false | readonly Value[];

/** A template of HTML. Values are text, or an attribute's value within double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = strings.map((part, index) => part + (index < values.length ? written(values[index]) : ''));
  return { [markup]: text.join('') };
}

/**
 * Structured data for search engines (JSON-LD). Browsers never run it, so a Content-Security-Policy without inline scripts allows it.
 * Characters that could end the element or open a comment in it are written as JSON escapes.
 */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { [markup]: `<script type="application/ld+json">${json}</script>\n` };
}

/** Text with curly apostrophes and quotation marks. Sources that programs read too, such as the API's descriptions, have straight ones. */
export function curly(text: string): string {
  return text.replaceAll("'", '’').replace(/"([^"]*)"/g, '“$1”');
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
