// Fields of forms, with their faults: of the operator's forms and of the form for webhooks.

import type { Choice, Problem } from '../../rules/typed-numbers.ts';
import { type Html, html } from '../html.ts';

/** Input of a step: the query, or the fields of a posted form. Empty fields are missing. */
export type Values = Readonly<Record<string, string | undefined>>;

export interface Option {
  value: string;
  label: string;
}

export interface Field {
  name: string;
  label: string;
  hint?: string | undefined;
  kind?: 'text' | 'search' | 'date' | 'lines' | 'email' | 'url';
  /** Choices of a select. Nothing is preselected unless there is a value. */
  options?: readonly Option[] | undefined;
  /** Label of the first option, which chooses nothing. */
  none?: string;
  /** Choices of a datalist. Other texts are accepted too. */
  suggestions?: readonly Option[];
  /** `silently`: not labeled optional, because another field may replace it. */
  optional?: true | 'silently' | undefined;
  /** Default, shown if nothing was typed. */
  value?: string | undefined;
  /** Keyboard on phones. */
  keys?: 'decimal' | 'numeric' | undefined;
  maxLength?: number;
  autocomplete?: string;
}

export type Problems = Map<string, Problem>;

export function hidden(kept: Values): Html {
  return html`${Object.entries(kept).map(
    ([name, value]) =>
      value !== undefined &&
      html`<input type="hidden" name="${name}" value="${value}">
`,
  )}`;
}

/** @param again returns the address with another text for a field */
export function fieldList(
  fields: readonly Field[],
  values: Values,
  problems: ReadonlyMap<string, Problem> = new Map(),
  again: (name: string, text: string) => string = () => '',
): Html {
  return html`${fields.map((field) => fieldMarkup(field, values[field.name], problems.get(field.name), again))}`;
}

function fieldMarkup(
  field: Field,
  typed: string | undefined,
  problem: Problem | undefined,
  again: (name: string, text: string) => string,
): Html {
  const { name, label, hint, kind = 'text', optional, suggestions } = field;
  const none = field.none ?? (optional === undefined ? 'Choose…' : 'Not specified');
  const value = typed ?? field.value ?? '';
  const isListed = value === '' || field.options?.some((option) => option.value === value) === true;
  // An unknown value stays visible, so that the reader sees what was refused.
  const options = isListed ? field.options : field.options?.concat({ value, label: value });
  const described = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const common = html` id="${name}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${
    problem !== undefined && html` aria-invalid="true"`
  }${optional === undefined && html` required`}`;
  return html`<div class="field${field.keys !== undefined && ' short'}"><label for="${name}">${label}${optional === true && html` <small>optional</small>`}</label>
${
  options !== undefined
    ? html`<select${common}><option value="">${none}</option>${options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
      )}</select>`
    : kind === 'lines'
      ? html`<textarea${common} rows="4" maxlength="${field.maxLength ?? 1000}">${value}</textarea>`
      : html`<input${common} type="${kind}" value="${value}" maxlength="${field.maxLength ?? 200}" autocomplete="${field.autocomplete ?? 'off'}"${
          suggestions !== undefined && html` list="${name}-list"`
        }${field.keys !== undefined && html` inputmode="${field.keys}"`}>`
}${
  suggestions !== undefined &&
  html`<datalist id="${name}-list">${suggestions.map(
    (each) => html`<option value="${each.value}">${each.label !== each.value && each.label}</option>`,
  )}</datalist>`
}${problem !== undefined && problemMarkup(`${name}-problem`, problem, (text) => again(name, text))}${
  hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`
}</div>
`;
}

function problemMarkup(id: string, problem: Problem, again: (text: string) => string): Html {
  if ('fault' in problem) return html`<p class="problem" id="${id}" role="alert">${problem.fault}</p>`;
  return html`<div class="problem" id="${id}" role="alert"><p>${problem.why} Which one?</p>
${problem.choices.map(({ label, text }: Choice) => choice({ title: label, path: again(text) }))}</div>`;
}

export function choice({
  title,
  note,
  path,
}: {
  title: Html | string;
  note?: Html | string | undefined;
  path: string;
}): Html {
  return html`<a class="choice" href="${path}"><span>${title}</span>${note !== undefined && html` <small>${note}</small>`}</a>
`;
}

export function alert(text: Html | string): Html {
  return html`<p class="problem" role="alert">${text}</p>
`;
}
