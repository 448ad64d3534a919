// The one flow of all forms: fields, a review, and its button. Inputs, their readers, and their faults derive from the kinds of
// `src/intake`. Before a review is shown, the row goes through the hall in a transaction that is rolled back. So a form knows none of the
// rules by which a row is refused.

import { randomUUID } from 'node:crypto';
import type { NotedOutcome } from '../games/row-outcome.ts';
import { type Cell, textCell } from '../intake/columns.ts';
import type { RowKind } from '../intake/kind.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf, plain } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { pageHead, type Section, section } from '../pages/parts/section.ts';
import { type Database, undone } from '../platform/database.ts';
import type { Checked, Fault } from '../platform/schema.ts';
import type { Problem, Typed } from '../rules/typed-numbers.ts';
import {
  alert,
  detailList,
  type Field,
  hidden,
  type Option,
  type Problems,
  stepForm,
  type Values,
} from './fields.ts';
import { sentence } from './frame.ts';
import { readable } from './imports/parts.ts';

export interface StepContext {
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /** The path of all steps of a form. */
  path: string;
  values: Values;
}

export interface Step {
  lead?: Html | string | undefined;
  /** The small title above the title. Default: Operator. */
  eyebrow?: string;
  body: Html;
  /** Whether the input has problems, which makes the status 422. */
  refused?: boolean;
}

export function stepBody(title: string, { eyebrow = 'Operator', lead, body }: Step): Html {
  return html`${pageHead({ eyebrow, title, lead })}${body}`;
}

/** A field of a form, and how its text is read. */
export interface Input extends Field {
  read?(text: string): Typed<unknown>;
  /** The requirement on its text, if the kind's is too general. */
  must?: string | undefined;
}

/** The part of a kind of rows that a form needs. Changes that are not rows have one too. */
export type FormKind = Pick<RowKind, 'fields' | 'schema'> & {
  check(value: unknown): Checked<unknown>;
  apply?: RowKind['apply'];
};

interface Shape {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maxLength?: number;
}

/** Fields whose values have labels of their own. */
const labeled: Readonly<Record<string, Parameters<typeof labelOf>[0]>> = {
  status: 'gameStatus',
  tier: 'tier',
  result: 'result',
};

const yesOrNo: readonly Option[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** Returns the input of a kind's field. @param own what this form says differently */
export function inputOf({ fields, schema: row }: FormKind, name: string, own: Partial<Input> = {}): Input {
  const { schema, label, hint, cell, typed } = fields[name]!;
  const { required = [] } = row as { required?: readonly string[] };
  const shape: Shape = (schema as { anyOf?: readonly Shape[] }).anyOf?.[0] ?? (schema as Shape);
  const labels = labeled[name];
  const options =
    shape.type === 'boolean'
      ? yesOrNo
      : shape.enum?.map((value) => ({
          value,
          label: labels === undefined ? plain(value) : labelOf(labels, value),
        }));
  const isNumber = typed === undefined && (shape.type === 'integer' || (shape.minimum ?? -1) >= 0);
  return {
    name,
    label: plain(label ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    hint,
    optional: required.includes(name) ? undefined : true,
    options,
    keys: isNumber ? (shape.type === 'integer' ? 'numeric' : 'decimal') : undefined,
    ...(shape.maxLength === undefined ? {} : { maxLength: shape.maxLength }),
    read: typed ?? ((text) => ({ value: cellOf(cell).read(text, typedSheet) })),
    must: cell?.must,
    ...own,
  };
}

const cellOf = (cell: Cell | null | undefined) => cell ?? textCell;

/** Conventions of typed numbers: a comma that can mean two things is refused. */
const typedSheet = { delimiter: '\t' } as const;

/** Returns the value of a field, or stores its problem. */
export function accept<T>(problems: Problems, name: string, typed: Typed<T>): T | undefined {
  if ('value' in typed) return typed.value;
  problems.set(name, typed);
  return undefined;
}

/** Reads the text of an input, and stores its problem. A missing one is a problem unless it is optional. */
export function readInput(problems: Problems, values: Values, { name, label, optional, read }: Input) {
  const text = values[name];
  if (text !== undefined) return accept(problems, name, read?.(text) ?? { value: text });
  if (optional === undefined) problems.set(name, { fault: `${label} is missing.` });
  return undefined;
}

function placeFaults(problems: Problems, faults: readonly Fault[], fields: readonly Input[]): void {
  for (const { path, message } of faults) {
    const field = fields.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`));
    problems.set(field?.name ?? 'row', { fault: faultText(message, field, path) });
  }
}

function faultText(message: string, field: Input | undefined, path: string): string {
  if (field === undefined) return `${path === '' ? '' : `${path.slice(1)} `}${message}.`;
  if (message === 'is missing') return `${field.label} is missing.`;
  const [, must] = /^must be (.*?)(?:, or null)?$/.exec(message) ?? [];
  if (must === undefined) return sentence(message);
  return field.options === undefined ? `Enter ${field.must ?? must}.` : 'Choose one from the list.';
}

interface FieldsPage extends Omit<Step, 'body'> {
  heading: string;
  note?: Html | string | undefined;
  links?: Section['links'];
  fields: readonly (Field | Html)[];
  kept?: Values;
  submit?: string;
  method?: 'post';
  before?: Html | undefined;
}

export function fieldsStep(
  { path, values }: Pick<StepContext, 'path' | 'values'>,
  problems: Problems,
  page: FieldsPage,
): Step {
  const { heading, note, links = [], fields, kept = {}, submit = 'Review', method, before, ...step } = page;
  const form = { path, fields, values, problems, submit, kept };
  return {
    ...step,
    refused: problems.size > 0,
    body: section({
      heading,
      id: 'fields',
      note,
      links,
      body: html`${before}${unplaced(problems, fields)}${stepForm(method === undefined ? form : { ...form, method })}`,
    }),
  };
}

/** Renders the problems that belong to none of the step's fields. */
function unplaced(problems: ReadonlyMap<string, Problem>, fields: readonly (Field | Html)[]): Html {
  const placed = new Set(fields.map((field) => ('name' in field ? field.name : '')));
  return html`${[...problems].map(
    ([name, problem]) => !placed.has(name) && alert('fault' in problem ? problem.fault : problem.why),
  )}`;
}

export type Details = readonly (readonly [name: string, value: Html | string])[];

export interface Review {
  details: Details;
  /** A sentence that says what cannot be undone. */
  warning: string;
  /** Remarks about the input. */
  notes?: readonly string[];
  /** Possible mistakes. */
  doubts?: readonly string[];
  submit: string;
  row: object;
  /** Fields posted with the row. */
  also?: Values;
  /** Query of the step that edits the fields. */
  back: Values;
}

/**
 * Returns the last step: the row to store, and the button that stores it. The form has a key, with which repeated submissions are
 * recognized.
 */
export function reviewStep({ path }: Pick<StepContext, 'path'>, review: Review): Step {
  const { warning, details, notes = [], doubts = [], submit, row, also = {}, back } = review;
  return {
    eyebrow: 'Review before you confirm',
    lead: warning,
    body: section({
      heading: 'This will be stored',
      id: 'review',
      body: html`${detailList(details)}${notes.map(
        (note) => html`<p class="hint">${note}</p>
`,
      )}${doubts.map(alert)}<form class="step" method="post" action="${path}">
${hidden({ row: JSON.stringify(row), key: randomUUID(), back: pathWith('', back).slice(1), ...also })}<p class="actions"><button type="submit">${submit}</button> <a href="${pathWith(path, back)}">Edit</a></p>
</form>`,
    }),
  };
}

/** The answer to storing a row, with a sentence to lead its review if that is not the form's own. */
export type Tried = NotedOutcome & { sentence?: string };

/** A form that fills in one row: what it asks for, and what its review says. */
export interface RowForm extends Omit<FieldsPage, 'fields'> {
  kind: FormKind;
  /** Fields of the row that are known already. */
  given?: object;
  fields: readonly Input[];
  /** Returns fields of the row that follow from several inputs, and stores their problems. */
  complete?(problems: Problems, row: Readonly<Record<string, unknown>>): object | Promise<object>;
  /** Answers what storing the row would. Default: by the kind. */
  attempt?(row: object): Promise<Tried>;
  review(row: Readonly<Record<string, unknown>>): Pick<Review, 'warning' | 'submit'> &
    Partial<Review> & {
      /** Details above the fields that were filled in. */
      about?: Details;
    };
}

/** Returns the step of a form that fills in one row: its fields, or the review once they are right. */
export async function rowStep(context: StepContext, form: RowForm): Promise<Step> {
  const { database, now, values } = context;
  const {
    kind,
    given,
    fields,
    complete,
    attempt = (row) => tryRow(database, kind, row, now),
    ...rest
  } = form;
  const { review, ...page } = rest;
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const read = fields.map((field) => [field.name, readInput(problems, values, field)] as const);
    const own = Object.fromEntries(read.filter(([name]) => name in kind.fields));
    const all = { ...given, ...own, ...(await complete?.(problems, own)) };
    const row = Object.fromEntries(Object.entries(all).filter(([, value]) => value != null));
    const checked = problems.size === 0 ? kind.check(row) : undefined;
    if (checked?.ok === false) placeFaults(problems, checked.faults, fields);
    const tried = checked?.ok === true ? await attempt(checked.value as object) : undefined;
    if (tried !== undefined && 'reason' in tried)
      problems.set('row', { fault: sentence(readable(tried.reason)) });
    else if (tried !== undefined) {
      const { about = [], notes = [], doubts = [], ...texts } = review(row);
      return reviewStep(context, {
        row,
        details: [...about, ...detailsOf(fields, values)],
        back: without(values, 'review'),
        ...texts,
        warning: tried.sentence ?? texts.warning,
        notes: tried.note === undefined ? notes : [...notes, sentence(tried.note)],
        doubts: tried.outcome === 'unchanged' ? [...doubts, 'This is stored already.'] : doubts,
      });
    }
  }
  return fieldsStep(context, problems, { ...page, fields, kept: { ...page.kept, review: 'yes' } });
}

/** Applies a row in a transaction that is rolled back. */
async function tryRow(database: Database, { apply }: FormKind, row: object, now: number): Promise<Tried> {
  if (apply === undefined) return { outcome: 'added' };
  const [tried] = await undone(database, (transaction) =>
    apply(transaction, [row], { now, imported: false }),
  );
  return tried!;
}

/** Returns what was filled in, labeled. */
function detailsOf(fields: readonly Field[], values: Values): Details {
  return fields.flatMap(({ name, label, options }) => {
    const value = values[name];
    return value === undefined
      ? []
      : [[label, options?.find((one) => one.value === value)?.label ?? html`<bdi>${value}</bdi>`] as const];
  });
}

export function without(values: Values, ...names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
