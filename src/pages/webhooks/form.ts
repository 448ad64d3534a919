import type { Fault } from '../../platform/schema.ts';
import type { FilterChoices } from '../../webhooks/subscriptions/filters.ts';
import { type Html, html } from '../html.ts';

/** What the form was sent with, and why it was not granted: shown again for another try. */
export interface FormState {
  given?: Readonly<Record<string, unknown>>;
  /** A sentence on the whole of it. */
  refusal?: string;
  /** One a field, at `/<name>`. */
  faults?: readonly Fault[];
}

interface Field {
  name: string;
  label: string;
  type: 'email' | 'url' | 'text';
  hint: string;
  required?: true;
  autocomplete: string;
  /** The id of a list of what may be typed. */
  list?: string;
}

const fields: readonly Field[] = [
  {
    name: 'owner_email',
    label: 'Your e-mail address',
    type: 'email',
    hint: 'Names you as the owner. Nothing is sent to it, and anyone who knows it can see that you subscribed.',
    required: true,
    autocomplete: 'email',
  },
  {
    name: 'target_url',
    label: 'Receiver',
    type: 'url',
    hint: 'An https address on port 443 or 8443 of a public host, or the webhook address of a Discord, Slack or Teams channel.',
    required: true,
    autocomplete: 'off',
  },
  {
    name: 'capper_handle',
    label: 'One capper only (optional)',
    type: 'text',
    hint: 'Choose a handle, or type one as in the address of a capper.',
    autocomplete: 'off',
    list: 'handles',
  },
];

/** The form that subscribes. It is an ordinary one: the browser posts it, and a page comes back. */
export function subscribeForm(
  { cappers, sports }: FilterChoices,
  { given = {}, refusal, faults = [] }: FormState,
): Html {
  const faultOf = (name: string) => faults.find(({ path }) => path === `/${name}`);
  return html`<form id="subscribe" method="post" action="/webhooks#subscribe">
${refusal !== undefined && html`<p role="alert"><strong>Not subscribed.</strong> ${faults.length === 0 ? refusal : 'What is marked cannot be right.'}</p>`}
${fields.map((field) => input(field, given[field.name], faultOf(field.name)))}<datalist id="handles">${cappers.map(
    (handle) => html`<option value="${handle}"></option>`,
  )}</datalist>
${sportField(sports, given.sport, faultOf('sport'))}<p><button type="submit">Subscribe</button></p>
</form>`;
}

/** Every sport to choose from; what was given and is none of them is shown as well, so that it can be seen why it is refused. */
function sportField(sports: FilterChoices['sports'], given: unknown, fault: Fault | undefined): Html {
  const value = typeof given === 'string' ? given.trim() : '';
  const known = sports.some(({ key }) => key === value.toLowerCase());
  const choices = [
    { key: '', label: 'Every sport' },
    ...(known || value === '' ? [] : [{ key: value, label: value }]),
    ...sports,
  ];
  return html`<p class="field">
<label for="sport">One sport only (optional)</label>
<select id="sport" name="sport" aria-describedby="sport-hint"${fault !== undefined && html` aria-invalid="true"`}>${choices.map(
    ({ key, label }) =>
      html`<option value="${key}"${(known ? key === value.toLowerCase() : key === value) && html` selected`}>${label}</option>`,
  )}</select>
<span class="hint" id="sport-hint">${fault !== undefined && html`<strong>${sentence(fault.message)}</strong> `}Leave it at every sport to receive all.</span>
</p>
`;
}

function input(field: Field, given: unknown, fault: Fault | undefined): Html {
  const { name, label, type, hint, required, autocomplete, list } = field;
  const value = typeof given === 'string' ? given : '';
  return html`<p class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" aria-describedby="${name}-hint"${
    required && html` required`
  }${list !== undefined && html` list="${list}"`}${fault !== undefined && html` aria-invalid="true"`}>
<span class="hint" id="${name}-hint">${fault !== undefined && html`<strong>${sentence(fault.message)}</strong> `}${hint}</span>
</p>
`;
}

/** What is wrong with a field is said in a sentence, or in the rest of one that begins with the field. */
function sentence(message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `This ${message}.`;
}
