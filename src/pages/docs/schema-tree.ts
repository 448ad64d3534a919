import { type Html, html } from '../html.ts';
import { marked } from './marked.ts';

/** The parts of a JSON Schema that the reference uses. */
export interface JsonSchema {
  /** `#/components/schemas/<name>`; see {@link resolved}. */
  $ref?: string;
  /** The name of a named schema. */
  title?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  patternProperties?: Record<string, JsonSchema>;
}

/** Returns a document in which each reference to a named schema is replaced by that schema, with its name as title. */
export function resolved<D>(document: D): D {
  const { schemas = {} } =
    (document as { components?: { schemas?: Record<string, object> } }).components ?? {};
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: string };
    const name = $ref?.replace('#/components/schemas/', '');
    const schema = name === undefined ? rest : { title: name, ...schemas[name], ...rest };
    return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, within(each)]));
  };
  return within(document) as D;
}

/**
 * Renders the fields of an object, with those of nested objects below them. A named object's fields appear only at its first occurrence, to
 * which the others link.
 * @param shown names of objects already rendered on the page
 */
export function schemaTree(schema: JsonSchema, shown: Set<string> = new Set()): Html {
  const { title } = schema;
  const isFirst = title !== undefined && !shown.has(title);
  if (isFirst) shown.add(title);
  return html`<ul class="schema"${isFirst && html` id="${anchorOf(title)}"`}>
${Object.entries(schema.properties ?? {}).map(([name, property]) => {
  const within = objectsIn(property).map((each) =>
    each.title !== undefined && shown.has(each.title)
      ? html` <a href="#${anchorOf(each.title)}">fields</a>`
      : schemaTree(each, shown),
  );
  return html`<li><code>${name}</code> <span class="type">${typeText(property)}</span> ${marked(description(property) ?? '')}${within}</li>
`;
})}</ul>`;
}

const anchorOf = (title: string) => `object-${title.replaceAll(/\W+/g, '-')}`;

/** Returns a schema's type in words: `integer`, `list of objects`, `text or null`. */
export function typeText(schema: JsonSchema): string {
  const { type, format, anyOf, items } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (Array.isArray(type)) return type.map((each) => typeText({ ...schema, type: each })).join(' or ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${plural(typeText(items))}`;
  if (type === 'string')
    return format === 'date-time'
      ? 'timestamp'
      : format === 'date'
        ? 'date'
        : format === 'uri'
          ? 'URL'
          : 'text';
  return type === 'object' ? (schema.title ?? type) : (type ?? 'any');
}

function plural(name: string): string {
  return /^(object|integer|number|timestamp|text|URL)$/.test(name) ? `${name}s` : name;
}

function description({ description: text, anyOf, items }: JsonSchema): string | undefined {
  return text ?? anyOf?.find((each) => each.description !== undefined)?.description ?? items?.description;
}

/** Returns the objects in a schema: itself, those of its union, or those of its list. */
export function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (schema.properties !== undefined) return [schema];
  if (schema.items !== undefined) return objectsIn(schema.items);
  return (schema.anyOf ?? []).flatMap(objectsIn);
}
