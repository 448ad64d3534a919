// The one flow of all forms: fields, a review, and its button. Inputs, their readers, and their faults derive from the kinds of
// `src/intake`. Before a review is shown, the row goes through the hall in a transaction that is rolled back. So a form knows none of the
// rules by which a row is refused, and its review shows the row itself.

import { randomUUID } from 'node:crypto';
import { oddsText, otherOddsText } from '../boards/formats/odds-text.ts';
import { sportTag, units, utcText } from '../boards/formats/pick-text.ts';
import type { NotedOutcome } from '../games/row-outcome.ts';
import { type Cell, type Sheet, textCell } from '../intake/cells.ts';
import type { RowKind } from '../intake/kind.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf, marketLabel, plain } from '../pages/labels.ts';
import { alert, type Field, fieldList, hidden, type Problems, type Values } from '../pages/parts/fields.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { facts } from '../pages/parts/lists.ts';
import { pageHead, type Section, section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { type Database, undone } from '../platform/database.ts';
import type { Checked } from '../platform/schema.ts';
import { bookName } from '../rules/book-words.ts';
import type { Problem, Typed } from '../rules/typed-numbers.ts';
import { sentence } from './frame.ts';
import { readable } from './imports/parts.ts';

/** The value of a text, and the words for it in the review. Default: the value. */
type Meant = Typed<unknown> & { said?: string };

/** A field of a form, and how its text is read. */
export interface Input extends Field {
  read?(text: string): Meant | Promise<Meant>;
  /** The requirement on its text, if the kind's is too general. */
  must?: string | undefined;
}

export interface StepContext {
  database: Database;
  now: EpochMs;
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

/** The part of a kind of rows that a form needs. Changes that are not rows have one too. */
export type FormKind = Pick<RowKind, 'fields' | 'schema'> & {
  check(value: unknown): Checked<unknown>;
  apply?: RowKind['apply'];
};

/** How the review writes the values of fields. */
const shownAs: Readonly<Record<string, (value: never) => string>> = {
  sport: sportTag,
  market: marketLabel,
  book: bookName,
  status: (value: string) => labelOf('gameStatus', value),
  tier: (value: string) => labelOf('tier', value),
  result: (value: string) => labelOf('result', value),
  side: (value: string) => labelOf('side', value),
  oddsAmerican: (value: number) => `${oddsText(value)} (decimal ${otherOddsText(value)})`,
  stakeUnits: units,
};

function shown(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text)) return `${fullText(text)} (${utcText(text)})`;
  return shownAs[name]?.(value as never) ?? text;
}

/** Returns the input of a kind's field. @param own what this form says differently */
export function inputOf(kind: FormKind, name: string, own: Partial<Input> = {}): Input {
  const { schema, hint, cell, typed } = kind.fields[name]!;
  const { required = [] } = kind.schema as { required?: readonly string[] };
  const shape = ((schema as { anyOf?: readonly object[] }).anyOf?.[0] ?? schema) as {
    type?: string;
    enum?: readonly string[];
    minimum?: number;
    maxLength?: number;
  };
  const isNumber = typed === undefined && (shape.type === 'integer' || (shape.minimum ?? -1) >= 0);
  const options =
    shape.type === 'boolean'
      ? ['yes', 'no'].map((value) => ({ value, label: plain(value) }))
      : shape.enum?.map((value) => ({ value, label: plain(shown(name, value)) }));
  return {
    name,
    label: labelIn(kind, name),
    hint,
    optional: required.includes(name) ? undefined : true,
    options,
    keys: isNumber ? (shape.type === 'integer' ? 'numeric' : 'decimal') : undefined,
    ...(shape.maxLength === undefined ? {} : { maxLength: shape.maxLength }),
    read: typed ?? ((text) => ({ value: cellText(text, cell) })),
    must: cell?.must,
    ...own,
  };
}

function labelIn({ fields }: FormKind, name: string): string {
  return plain(
    fields[name]?.label ??
      name.replace(/Handle$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

/** Reads a typed text as a cell of a sheet. A comma that can mean two things is refused. */
export function cellText(text: string, cell: Cell | null = textCell, sheet: Partial<Sheet> = {}): unknown {
  return (cell ?? textCell).read(text, { delimiter: '\t', ...sheet });
}

interface StepForm {
  path: string;
  /** Default: GET of the path, so that reloading and going back work. */
  method?: 'post' | undefined;
  fields: readonly Field[];
  values: Values;
  problems?: ReadonlyMap<string, Problem> | undefined;
  /** Hidden fields to submit. */
  kept?: Values;
  submit: string;
}

/** Renders the form of a step. If a text is ambiguous, links submit each of its meanings. */
export function stepForm({ path, method, fields, values, problems, kept = {}, submit }: StepForm): Html {
  const again = (name: string, text: string) => pathWith(path, { ...kept, ...values, [name]: text });
  return html`<form class="step" method="${method ?? 'get'}" action="${path}">
${hidden(kept)}${fieldList(fields, values, problems, again)}<p class="actions"><button type="submit">${submit}</button></p>
</form>
`;
}

export function nextLinks(links: readonly { label: string; path: string }[]): Html {
  return html`<p class="actions">${links.map(({ label, path }) => html`<a class="button" href="${path}">${label}</a> `)}</p>`;
}

export function stepBody(title: string, { eyebrow = 'Operator', lead, body }: Step): Html {
  return html`${pageHead({ eyebrow, title, lead })}${body}`;
}

interface FieldsPage extends Pick<Section, 'heading' | 'note' | 'links'>, Omit<Step, 'body'> {
  fields: readonly Field[];
  kept?: Values;
  submit?: string;
  method?: 'post';
  /** Links above the fields that fill them in. */
  aid?: Html | undefined;
}

export function fieldsStep(
  { path, values }: Pick<StepContext, 'path' | 'values'>,
  problems: Problems,
  { heading, note, links, fields, kept = {}, submit = 'Review', method, aid, ...step }: FieldsPage,
): Step {
  const placed = new Set(fields.map(({ name }) => name));
  const unplaced = [...problems].filter(([name]) => !placed.has(name));
  return {
    ...step,
    refused: problems.size > 0,
    body: section({
      heading,
      id: 'fields',
      note,
      links: links ?? [],
      body: html`${unplaced.map(([, problem]) => alert('fault' in problem ? problem.fault : problem.why))}${aid}${stepForm(
        { path, method, fields, values, problems, submit, kept },
      )}`,
    }),
  };
}

/** The answer to storing a row, with a sentence to lead its review if that is not the form's own. */
export type Tried = NotedOutcome & { sentence?: string };

type Row = Readonly<Record<string, unknown>>;

/** A form that fills in one row. Without fields, its first step is the review. */
export interface RowForm extends Omit<FieldsPage, 'fields' | 'submit' | 'refused' | 'eyebrow'> {
  kind: FormKind;
  /** Fields of the row that are known already. */
  given?: object;
  fields: readonly Input[];
  /** The input, if it was read from another. */
  values?: Values;
  /** Returns fields of the row that follow from others, and stores problems. */
  complete?(row: Row, problems: Problems): object | Promise<object>;
  /** Answers what storing the row would. Default: by the kind. */
  attempt?(row: Row): Promise<Tried>;
  /** The consequence that cannot be undone. */
  warning: string | ((row: Row) => string);
  /** Remarks for the review. */
  notes?: readonly string[];
  /** Label of the button that stores the row. */
  submit: string;
  /** Fields posted with the row. */
  also?: Values;
}

/** Returns the step of a form that fills in one row: its fields, or the review once they are right. */
export async function rowStep(from: StepContext, form: RowForm): Promise<Step> {
  const { values = from.values, kind, given, fields, complete, attempt } = form;
  const { warning, notes, submit, also, kept, ...page } = form;
  const context = { ...from, values };
  const problems: Problems = new Map();
  if (values.review !== undefined || fields.length === 0) {
    const said = new Map<string, string>();
    const own: Record<string, unknown> = {};
    for (const field of fields) own[field.name] = await readInput(problems, values, field, said);
    const written = { ...given, ...own };
    const all = { ...written, ...(await complete?.(written, problems)) };
    const row = Object.fromEntries(Object.entries(all).filter(([, value]) => value != null));
    const checked = problems.size === 0 ? kind.check(row) : undefined;
    if (checked?.ok === false)
      for (const { path, message } of checked.faults) {
        const field = fields.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`));
        problems.set(field?.name ?? 'row', { fault: faultText(message, field, path) });
      }
    else if (checked !== undefined) {
      const stored = checked.value as Row;
      const tried = await (attempt?.(stored) ?? tryRow(context, kind, stored));
      if (!('reason' in tried)) return reviewStep(context, form, { row: stored, said, tried });
      problems.set('row', { fault: sentence(readable(tried.reason)) });
    }
  }
  return fieldsStep(context, problems, { ...page, kept: { ...kept, review: 'yes' } });
}

/** Reads the text of an input, and stores its problem. A missing one is a problem unless it is optional. */
async function readInput(
  problems: Problems,
  values: Values,
  { name, label, optional, options, read }: Input,
  said: Map<string, string>,
): Promise<unknown> {
  const text = values[name];
  if (text === undefined) {
    if (optional === undefined) problems.set(name, { fault: `${label} is missing.` });
    return undefined;
  }
  const meant: Meant = (await read?.(text)) ?? { value: text };
  if (!('value' in meant)) {
    problems.set(name, meant);
    return undefined;
  }
  const { value } = meant;
  const words = meant.said ?? options?.find((one) => one.value === text)?.label;
  if (words !== undefined) said.set(name, words);
  // Shows how a number, or a list of them, was read.
  else if (typeof value === 'object') said.set(name, text);
  else if (typeof value === 'number' && Number(text) !== value)
    said.set(name, `${shown(name, value)}, from ${text}`);
  return value;
}

function faultText(message: string, field: Input | undefined, path: string): string {
  if (field === undefined) return `${path === '' ? '' : `${path.slice(1)} `}${message}.`;
  if (message === 'is missing') return `${field.label} is missing.`;
  const [, must] = /^must be (.*?)(?:, or null)?$/.exec(message) ?? [];
  if (must === undefined) return sentence(message);
  return field.options === undefined ? `Enter ${field.must ?? must}.` : 'Choose one from the list.';
}

/** Applies a row in a transaction that is rolled back. */
async function tryRow({ database, now }: StepContext, { apply }: FormKind, row: object): Promise<Tried> {
  if (apply === undefined) return { outcome: 'added' };
  const [tried] = await undone(database, (transaction) =>
    apply(transaction, [row], { now, imported: false }),
  );
  return tried!;
}

/**
 * Returns the last step: the row to store, and the button that stores it. Its form has a key, with which repeated submissions are
 * recognized.
 */
function reviewStep(
  { path, values }: StepContext,
  { kind, warning, submit, lead, notes = [], also = {} }: RowForm,
  { row, said, tried }: { row: Row; said: ReadonlyMap<string, string>; tried: Tried },
): Step {
  const { review, ...filled } = values;
  const back = pathWith(path, filled);
  const order = Object.keys(kind.fields);
  const names = Object.keys(row)
    .filter((name) => row[name] != null)
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  const posted = { row: JSON.stringify(row), key: randomUUID(), back: back.slice(path.length + 1), ...also };
  const remarks = tried.note === undefined ? notes : [...notes, sentence(tried.note)];
  return {
    eyebrow: 'Review before you confirm',
    lead: tried.sentence ?? (typeof warning === 'string' ? warning : warning(row)),
    body: section({
      heading: 'This will be stored',
      id: 'review',
      note: lead,
      body: html`${facts(
        names.map((name) => [
          labelIn(kind, name),
          html`<bdi>${said.get(name) ?? shown(name, row[name])}</bdi>`,
        ]),
        'pairs',
      )}${remarks.map(
        (remark) => html`<p class="hint">${remark}</p>
`,
      )}${tried.outcome === 'unchanged' && alert('This is stored already.')}<form class="step" method="post" action="${path}">
${hidden(posted)}<p class="actions"><button type="submit">${submit}</button> <a href="${back}">Edit</a></p>
</form>`,
    }),
  };
}
