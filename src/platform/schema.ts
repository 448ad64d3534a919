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

/** A fault of an input: its location (a JSON Pointer, RFC 6901; empty for the whole) and a message. */
export interface Fault {
  path: string;
  message: string;
}

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** `coerce` converts text to numbers and booleans, as query strings need. */
export interface CheckOptions {
  coerce?: boolean;
}

// ajv-formats is CommonJS: under Node's ESM rules, its function is the `default` export.
const addFormats = formats as unknown as typeof formats.default;

/** Longer text is not matched without `maxLength`: ajv reports all faults, so it would match overlong text too. */
const maxMatched = 4096;

/** Checks `pattern`, but only for text within `maxLength`, which has its own check. */
const boundedPattern: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  compile(pattern: string, parentSchema) {
    const { maxLength } = parentSchema as { maxLength?: number };
    const expression = new RegExp(pattern, 'u');
    // In UTF-16 units: a character has one or two.
    if (maxLength !== undefined)
      return (text: string) => text.length > 2 * maxLength || expression.test(text);
    return (text: string) => text.length <= maxMatched && expression.test(text);
  },
};

/** Makes all text formats refuse text above {@link maxMatched}. */
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

/** Normalizes text (UAX #15) before its length and characters are checked: `normalForm: 'NFC'`. */
const normalForm: FuncKeywordDefinition = {
  keyword: 'normalForm',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  validate(form: string, text: string, schema?: AnySchemaObject, at?: DataValidationCxt) {
    // Normalization shortens text at most to an eighth.
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
    // Compiling the metaschema takes 50 ms; a test validates all declared schemas with it.
    meta: false,
    validateSchema: false,
    // Makes 0.07 a multiple of 0.01 despite binary fractions.
    multipleOfPrecision: 6,
  });
  addFormats(ajv);
  boundFormats(ajv);
  ajv.removeKeyword('pattern');
  ajv.addKeyword(boundedPattern);
  // Describes in words what a value must be.
  ajv.addKeyword('must');
  ajv.addKeyword(normalForm);
  return ajv;
}

const ajvs = { strict: lazy(() => create(false)), coercing: lazy(() => create(true)) };

/**
 * Returns a function that checks values against a schema, fills in defaults, and reports all faults. It returns a copy and never changes
 * its input. The schema is compiled on first use: a process has hundreds and most starts need few.
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

/** Copies JSON values in a third of the time of `structuredClone`, which copies everything else. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  // Spread keeps `__proto__` an ordinary key.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) if (typeof copy[key] === 'object') copy[key] = copyOf(copy[key]);
  return copy;
}

export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ path, message }) => (path === '' ? message : `${path.slice(1)} ${message}`))
    .join('; ');
}

/** Merges errors into one fault per location. A schema's own words (`must`) replace the messages of its parts. */
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
  if (keyword === 'enum') return `must be one of ${(schema as unknown[]).join(', ')}`;
  if (keyword === 'anyOf') {
    const values = (schema as { const?: unknown; enum?: unknown[] }[]).flatMap(
      (option) => option.enum ?? [option.const],
    );
    if (values.every((value) => value !== undefined))
      return `must be one of ${values.map(String).join(', ')}`;
  }
  return message ?? 'is not valid';
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}
