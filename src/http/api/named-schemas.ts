import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;

/** Converts a schema to plain JSON Schema: without house annotations, and with closed lists as `enum`. */
export function plain(schema: TSchema | object): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'must' || key === 'normalForm' || key === '$id' || key === '$schema'
        ? undefined
        : asEnum(value),
    ),
  );
}

function asEnum(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { anyOf?: { const?: unknown }[] };
  if (anyOf === undefined || !anyOf.every((option) => typeof option.const === 'string')) return value;
  return { type: 'string', enum: anyOf.map((option) => option.const), ...rest };
}

const nameOf = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Moves every schema whose `title` is a name, such as `Pick`, to `components.schemas` and refers to it there. An object's description moves
 * along. A string's stays, because it describes that use.
 * @throws Error if two different schemas have the same name
 */
export function named(document: Json): Json {
  const schemas: Record<string, Json> = {};

  function reference({ title, description, ...schema }: Json): Json {
    const name = title as string;
    const isText = schema.type === 'string' || schema.enum !== undefined;
    const component = {
      ...(isText || description === undefined ? {} : { description }),
      ...(within(schema) as Json),
    };
    if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], component))
      throw new Error(`two different schemas are named ${name}`);
    schemas[name] = component;
    const $ref = `#/components/schemas/${name}`;
    return isText && description !== undefined ? { $ref, description } : { $ref };
  }

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each)]));
  }

  function moved(value: unknown): unknown {
    const schema = value as Json | null;
    const isNamed = typeof schema?.title === 'string' && nameOf.test(schema.title);
    return isNamed ? reference(schema) : within(value);
  }

  const rest = within(document) as Json;
  return { ...rest, components: { schemas: Object.fromEntries(Object.entries(schemas).sort()) } };
}
