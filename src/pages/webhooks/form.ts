import type { Fault } from '../../platform/schema.ts';
import { markets } from '../../rules/markets/index.ts';
import { playerMarkets } from '../../rules/markets/player-markets.ts';
import { tiers } from '../../rules/vocabulary.ts';
import type { FilterChoices } from '../../webhooks/subscriptions/filters.ts';
import { type Html, html } from '../html.ts';
import { labelOf, marketLabel } from '../labels.ts';
import { type Field, fieldList } from '../parts/fields.ts';

export interface FormState {
  given?: Readonly<Record<string, unknown>>;
  refusal?: string;
  /** At most one per field, at `/<name>`. */
  faults?: readonly Fault[];
}

function fieldsOf({ cappers, sports }: FilterChoices): Field[] {
  const named = (keys: readonly string[], label: (key: string) => string) =>
    keys.map((value) => ({ value, label: label(value) }));
  return [
    {
      name: 'owner_email',
      label: 'Your e-mail address',
      kind: 'email',
      hint: 'Identifies you as the owner. We send nothing to it. Anyone who knows it can see that you subscribed.',
      autocomplete: 'email',
    },
    {
      name: 'target_url',
      label: 'Receiver URL',
      kind: 'url',
      hint: 'A public https URL on port 443 or 8443, or the address of a Discord, Slack, Teams, or Telegram chat.',
      maxLength: 2000,
    },
    {
      name: 'capper_handle',
      label: 'Capper',
      optional: true,
      hint: 'Choose or type a handle to receive only that capper’s picks.',
      suggestions: named(cappers, (handle) => handle),
    },
    {
      name: 'sport',
      label: 'Sport',
      optional: true,
      none: 'Every sport',
      hint: 'Choose a sport to receive only its picks.',
      options: sports.map(({ key, label }) => ({ value: key, label })),
    },
    {
      name: 'market',
      label: 'Market',
      optional: true,
      none: 'Every market',
      hint: 'Choose a market to receive only its picks.',
      options: named(
        [...markets, ...playerMarkets].map(({ name }) => name),
        marketLabel,
      ),
    },
    {
      name: 'tier',
      label: 'Tier',
      optional: true,
      none: 'Every tier',
      hint: 'Choose a tier to receive only picks of its cappers.',
      options: named(tiers, (tier) => labelOf('tier', tier)),
    },
    {
      name: 'team',
      label: 'Team',
      optional: true,
      hint: 'Type a team to receive only picks on its games. Choose its sport, too.',
      maxLength: 100,
    },
    {
      name: 'player',
      label: 'Player',
      optional: true,
      hint: 'Type a player to receive only picks on that player. Choose the sport, too.',
      maxLength: 100,
    },
    {
      name: 'event',
      label: 'Event',
      optional: true,
      none: 'New picks and results',
      hint: 'Choose one kind of event to receive only it.',
      options: [
        { value: 'pick.posted', label: 'New picks' },
        { value: 'pick.settled', label: 'Results' },
      ],
    },
  ];
}

const unfolded = 4;

/** Works without JavaScript. */
export function subscribeForm(choices: FilterChoices, { given = {}, refusal, faults = [] }: FormState): Html {
  const fields = fieldsOf(choices);
  const values = Object.fromEntries(
    fields.map(({ name, options }) => {
      const text = String(given[name] ?? '').trim();
      const known = options?.find(({ value }) => value === text.toLowerCase());
      return [name, known?.value ?? text];
    }),
  );
  const problems = new Map(faults.map(({ path, message }) => [path.slice(1), { fault: sentence(message) }]));
  const [shown, folded] = [fields.slice(0, unfolded), fields.slice(unfolded)];
  const isOpen = folded.some(({ name }) => values[name] !== '' || problems.has(name));
  return html`<form id="subscribe" method="post" action="/webhooks#subscribe">
${refusal !== undefined && html`<p role="alert"><strong>Not subscribed.</strong> ${faults.length === 0 ? refusal : 'Correct the marked fields and try again.'}</p>`}
${fieldList(shown, values, problems)}<details class="more"${isOpen && html` open`}><summary>More filters</summary>
${fieldList(folded, values, problems)}</details><p><button type="submit">Subscribe</button></p>
</form>`;
}

/** Turns a fault into a sentence: it is one already, or continues one about the field. */
function sentence(message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `This ${message}.`;
}
