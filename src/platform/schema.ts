import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type FormatDefinition,
  type FuncKeywordDefinition,
} from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { lazy } from './once.ts';
import { Type } from './type.ts';

/** One fault of an input: where it is (a JSON Pointer, RFC 6901; empty for the whole) and what is wrong. */
export interface Fault {
  path: string;
  message: string;
}

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** How lenient a check is: `coerce` turns texts into numbers and booleans, as query strings need. */
export interface CheckOptions {
  coerce?: boolean;
}

// ajv-formats is CommonJS; under Node's ESM rules its function is the `default` of what is imported.
const addFormats = formats as unknown as typeof formats.default;

/**
 * Texts longer than this are matched with no pattern or format that has no `maxLength` beside it: ajv names all faults, so it would match
 * a text of any length although that is too long.
 */
const maxMatched = 4096;

/** `pattern`, but only for texts that are no longer than `maxLength`, which says the rest. */
const boundedPattern: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  compile(pattern: string, parentSchema) {
    const { maxLength } = parentSchema as { maxLength?: number };
    const expression = new RegExp(pattern, 'u');
    // In UTF-16 units, of which a character has one or two.
    if (maxLength !== undefined)
      return (text: string) => text.length > 2 * maxLength || expression.test(text);
    return (text: string) => text.length <= maxMatched && expression.test(text);
  },
};

/** Makes every format of texts refuse those that are too long to be looked at. */
function boundFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    const given = typeof format === 'object' && !(format instanceof RegExp) ? format : { validate: format };
    const { validate, ...rest } = given as FormatDefinition<string>;
    if ((rest.type as string) === 'number' || !(validate instanceof RegExp || typeof validate === 'function'))
      continue;
    const matches = validate instanceof RegExp ? (text: string) => validate.test(text) : validate;
    ajv.addFormat(name, { ...rest, validate: (text: string) => text.length <= maxMatched && matches(text) });
  }
}

/** `normalForm: 'NFC'` puts a text into that Unicode normal form (UAX #15) before its length and characters are checked. */
const normalForm: FuncKeywordDefinition = {
  keyword: 'normalForm',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  validate(form: string, text: string, schema?: AnySchemaObject, at?: DataValidationCxt) {
    // No form of a text has less than an eighth of its length.
    if (schema?.maxLength !== undefined && text.length > 8 * schema.maxLength) return true;
    if (at !== undefined) at.parentData[at.parentDataProperty] = text.normalize(form);
    return true;
  },
};

function create(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    coerceTypes,
    strict: true,
    strictTypes: false,
    // Compiling the metaschema takes 50 ms: a test checks what is declared by it.
    meta: false,
    validateSchema: false,
    // 0.07 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 6,
  });
  addFormats(ajv);
  boundFormats(ajv);
  ajv.removeKeyword('pattern');
  ajv.addKeyword(boundedPattern);
  // In words, what a value must be.
  ajv.addKeyword('must');
  ajv.addKeyword(normalForm);
  return ajv;
}

const ajvs = { strict: lazy(() => create(false)), coercing: lazy(() => create(true)) };

/**
 * A function that checks a value by a schema: defaults are filled in, all faults are named. The value given is never changed; what comes
 * back is a copy. The schema is compiled for the first value, since a process has hundreds and most starts use few.
 */
export function checker<S extends TSchema>(
  schema: S,
  options: CheckOptions = {},
): (value: unknown) => Checked<Static<S>> {
  const compiled = lazy(() => (options.coerce === true ? ajvs.coercing : ajvs.strict)().compile(schema));
  return (given) => {
    const validate = compiled();
    const value = copyOf(given);
    if (validate(value)) return { ok: true, value: value as Static<S> };
    const faults = faultsOf(validate.errors ?? []);
    return { ok: false, faults };
  };
}

/** A copy of what JSON can say, in a third of the time that `structuredClone` takes; of anything else what that gives. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  // Spread keeps a key `__proto__` a key.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) if (typeof copy[key] === 'object') copy[key] = copyOf(copy[key]);
  return copy;
}

/** Faults as one line of text. */
export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ path, message }) => (path === '' ? message : `${path.slice(1)} ${message}`))
    .join('; ');
}

/** One fault a place: what a schema says in its own words (`must`) stands for all that its parts say. */
function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => schemaPath);
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (unions.some((union) => error.schemaPath.startsWith(`${union}/`))) continue;
    const fault = { path: faultPath(error), message: sentence(error) };
    faults.set(`${fault.path} ${fault.message}`, fault);
  }
  return [...faults.values()];
}

function faultPath({ instancePath, params }: ErrorObject): string {
  const named: unknown = params.missingProperty ?? params.additionalProperty;
  return typeof named === 'string' ? `${instancePath}/${named}` : instancePath;
}

function sentence({ keyword, message, params, parentSchema, schema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not a field of this object';
  if (typeof parentSchema?.must === 'string') return `must be ${parentSchema.must}`;
  if (keyword === 'pattern') return `must match pattern "${String(schema)}"`;
  if (keyword === 'const') return `must be ${String(params.allowedValue)}`;
  if (keyword === 'anyOf') {
    const values = (schema as { const?: unknown }[]).map((option) => option.const);
    if (values.every((value) => value !== undefined))
      return `must be one of ${values.map(String).join(', ')}`;
  }
  return message ?? 'is not valid';
}

/** A field that is present and may be null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}
