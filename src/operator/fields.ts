import { type Html, html } from '../pages/html.ts';
import { pathWith } from '../pages/parts/filters.ts';
import type { Choice, Problem } from '../rules/typed-numbers.ts';

/** Input of a step: the query, or the fields of a posted form. Empty fields are missing. */
export type Values = Readonly<Record<string, string | undefined>>;

export interface Option {
  value: string;
  label: string;
}

/** A field of a step. */
export interface Field {
  name: string;
  label: string;
  hint?: string | undefined;
  kind?: 'text' | 'search' | 'date' | 'time' | 'lines';
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
}

/** Problems with fields, by name. */
export type Problems = Map<string, Problem>;

interface StepForm {
  path: string;
  /** Default: GET of the path, so that reloading and going back work. */
  method?: 'post';
  fields: readonly (Field | Html)[];
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

export function hidden(kept: Values): Html {
  return html`${Object.entries(kept).map(
    ([name, value]) =>
      value !== undefined &&
      html`<input type="hidden" name="${name}" value="${value}">
`,
  )}`;
}

/** Renders fields. @param again returns the address with another text for a field */
export function fieldList(
  fields: readonly (Field | Html)[],
  values: Values,
  problems: ReadonlyMap<string, Problem> = new Map(),
  again: (name: string, text: string) => string = () => '',
): Html {
  return html`${fields.map((field) =>
    'name' in field ? fieldMarkup(field, values[field.name], problems.get(field.name), again) : field,
  )}`;
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
  const described = [
    ...(problem === undefined ? [] : [`${name}-problem`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  const common = html` id="${name}" name="${name}"${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${
    problem !== undefined && html` aria-invalid="true"`
  }${optional === undefined && html` required`}`;
  return html`<div class="field${field.keys !== undefined && ' short'}"><label for="${name}">${label}${optional === true && html` <small>optional</small>`}</label>
${
  field.options !== undefined
    ? html`<select${common}><option value="">${none}</option>${field.options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
      )}</select>`
    : kind === 'lines'
      ? html`<textarea${common} rows="4" maxlength="${field.maxLength ?? 1000}">${value}</textarea>`
      : html`<input type="${kind}"${common} value="${value}" maxlength="${field.maxLength ?? 200}" autocomplete="off"${
          suggestions !== undefined && html` list="${name}-list"`
        }${field.keys !== undefined && html` inputmode="${field.keys}"`}>`
}${
  suggestions !== undefined &&
  html`<datalist id="${name}-list">${suggestions.map(
    (each) => html`<option value="${each.value}">${each.label}</option>`,
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

/** Renders a link that makes a choice. */
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

/** Renders the reason why a step cannot continue. */
export function alert(text: Html | string): Html {
  return html`<p class="problem" role="alert">${text}</p>
`;
}

/** Renders links to further pages as buttons. */
export function nextLinks(links: readonly { label: string; path: string }[]): Html {
  return html`<p class="actions">${links.map(({ label, path }) => html`<a class="button" href="${path}">${label}</a> `)}</p>`;
}

/** Renders names with values. */
export function detailList(list: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl class="facts sealed">${list.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>`;
}
