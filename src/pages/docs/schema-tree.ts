import { type Html, html } from '../html.ts';
import { marked } from './marked.ts';

/** What the reference reads of a JSON Schema. */
export interface JsonSchema {
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

/** The fields of an object, those of objects within it below their names. */
export function schemaTree(schema: JsonSchema): Html {
  return html`<ul class="schema">
${Object.entries(schema.properties ?? {}).map(([name, property]) => {
  const within = innerObjects(property);
  return html`<li><code>${name}</code> <span class="type">${typeText(property)}</span> ${marked(description(property) ?? '')}${within.map(schemaTree)}</li>
`;
})}</ul>`;
}

/** A schema's type in words: `integer`, `list of objects`, `text or null`. */
export function typeText(schema: JsonSchema): string {
  const { type, format, anyOf, items } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (Array.isArray(type)) return type.map((each) => typeText({ ...schema, type: each })).join(' or ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${plural(typeText(items))}`;
  if (type === 'string')
    return format === 'date-time'
      ? 'instant'
      : format === 'date'
        ? 'date'
        : format === 'uri'
          ? 'address'
          : 'text';
  return type ?? 'any';
}

function plural(name: string): string {
  return /^(object|integer|number|instant|text)$/.test(name) ? `${name}s` : name;
}

function description({ description: text, anyOf, items }: JsonSchema): string | undefined {
  return text ?? anyOf?.find((each) => each.description !== undefined)?.description ?? items?.description;
}

/** The objects whose fields are to be shown below a field. */
function innerObjects(schema: JsonSchema): JsonSchema[] {
  if (schema.properties !== undefined) return [schema];
  if (schema.items !== undefined) return innerObjects(schema.items);
  return (schema.anyOf ?? []).flatMap(innerObjects);
}
