import type { Fault } from '../../platform/schema.ts';
import { markets } from '../../rules/markets/index.ts';
import { playerMarkets } from '../../rules/markets/player-markets.ts';
import type { FilterChoices } from '../../webhooks/subscriptions/filters.ts';
import { type Html, html } from '../html.ts';
import { labels, marketLabel } from '../labels.ts';

/** The values that the form was sent with and why it was refused, to show it again. */
export interface FormState {
  given?: Readonly<Record<string, unknown>>;
  /** Why the form was refused as a whole. */
  refusal?: string;
  /** At most one per field, at `/<name>`. */
  faults?: readonly Fault[];
}

interface Field {
  name: string;
  label: string;
  type: 'email' | 'url' | 'text';
  hint: string;
  required?: true;
  autocomplete: string;
  /** The id of a datalist. */
  list?: string;
}

const fields: readonly Field[] = [
  {
    name: 'owner_email',
    label: 'Your e-mail address',
    type: 'email',
    hint: 'Identifies you as the owner. We send nothing to it. Anyone who knows it can see that you subscribed.',
    required: true,
    autocomplete: 'email',
  },
  {
    name: 'target_url',
    label: 'Receiver URL',
    type: 'url',
    hint: 'A public https URL on port 443 or 8443, or the address of a Discord, Slack, Teams, or Telegram chat.',
    required: true,
    autocomplete: 'off',
  },
  {
    name: 'capper_handle',
    label: 'Capper (optional)',
    type: 'text',
    hint: 'Choose or type a handle to receive only that capper’s picks.',
    autocomplete: 'off',
    list: 'handles',
  },
];

/** Renders the subscription form. It works without JavaScript. */
export function subscribeForm(
  { cappers, sports }: FilterChoices,
  { given = {}, refusal, faults = [] }: FormState,
): Html {
  const faultOf = (name: string) => faults.find(({ path }) => path === `/${name}`);
  return html`<form id="subscribe" method="post" action="/webhooks#subscribe">
${refusal !== undefined && html`<p role="alert"><strong>Not subscribed.</strong> ${faults.length === 0 ? refusal : 'Correct the marked fields and try again.'}</p>`}
${fields.map((field) => input(field, given[field.name], faultOf(field.name)))}<datalist id="handles">${cappers.map(
    (handle) => html`<option value="${handle}"></option>`,
  )}</datalist>
${choicesOf(sports).map((choice) => choiceField(choice, given[choice.name], faultOf(choice.name)))}<p><button type="submit">Subscribe</button></p>
</form>`;
}

interface Choice {
  name: string;
  label: string;
  /** The choice of no filter. */
  every: string;
  hint: string;
  options: readonly { key: string; label: string }[];
}

/** The filters by choice. */
function choicesOf(sports: FilterChoices['sports']): Choice[] {
  return [
    {
      name: 'sport',
      label: 'Sport',
      every: 'Every sport',
      hint: 'Choose a sport to receive only its picks.',
      options: sports,
    },
    {
      name: 'market',
      label: 'Market',
      every: 'Every market',
      hint: 'Choose a market to receive only its picks.',
      options: [...markets, ...playerMarkets].map(({ name }) => ({ key: name, label: marketLabel(name) })),
    },
    {
      name: 'tier',
      label: 'Tier',
      every: 'Every tier',
      hint: 'Choose a tier to receive only picks of its cappers.',
      options: Object.entries(labels.tier).map(([key, label]) => ({ key, label })),
    },
    {
      name: 'event',
      label: 'Event',
      every: 'New picks and results',
      hint: 'Choose one kind of event to receive only it.',
      options: [
        { key: 'pick.posted', label: 'New picks' },
        { key: 'pick.settled', label: 'Results' },
      ],
    },
  ];
}

/** Renders a choice. An unknown value stays visible, so that the reader sees what was refused. */
function choiceField(
  { name, label, every, hint, options }: Choice,
  given: unknown,
  fault: Fault | undefined,
): Html {
  const value = typeof given === 'string' ? given.trim() : '';
  const known = options.some(({ key }) => key === value.toLowerCase());
  const choices = [
    { key: '', label: every },
    ...(known || value === '' ? [] : [{ key: value, label: value }]),
    ...options,
  ];
  return html`<p class="field">
<label for="${name}">${label} (optional)</label>
<select id="${name}" name="${name}" aria-describedby="${name}-hint"${fault !== undefined && html` aria-invalid="true"`}>${choices.map(
    ({ key, label }) =>
      html`<option value="${key}"${(known ? key === value.toLowerCase() : key === value) && html` selected`}>${label}</option>`,
  )}</select>
<span class="hint" id="${name}-hint">${fault !== undefined && html`<strong>${sentence(fault.message)}</strong> `}${hint}</span>
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

/** Turns a fault into a sentence: it is one already, or continues one about the field. */
function sentence(message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `This ${message}.`;
}
