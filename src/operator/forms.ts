import { statField } from '../games/stats.ts';
import { type Html, html } from '../pages/html.ts';
import { type StatName, statNames } from '../rules/markets/player-markets.ts';
import { playedValues } from '../rules/played.ts';
import { writtenSets } from '../rules/sets.ts';
import { tiers } from '../rules/vocabulary.ts';

/** A field of a form. Its value becomes the field of the same name of a row. */
interface Field {
  name: string;
  label: string;
  hint?: string;
  /** How its text becomes a value; default: as it is. */
  as?: 'number' | 'flag' | 'sets';
  required?: true;
  /** What it may be; a select. */
  options?: readonly string[];
}

export interface Form {
  /** The kind of rows, and the last part of its address. */
  kind: 'picks' | 'results' | 'stats' | 'cappers' | 'games' | 'notices' | 'invites' | 'revocations';
  title: string;
  submit: string;
  fields: readonly Field[];
  /** Makes a row of the values. Default: each is the field of its name. */
  row?(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const sport: Field = { name: 'sport', label: 'Sport', hint: 'A key, such as nfl.', required: true };
const game: Field = { name: 'game', label: 'Game', hint: 'Away @ home.', required: true };
const startsAt: Field = {
  name: 'startsAt',
  label: 'Start',
  hint: 'The first announced start in UTC, such as 2026-01-11T18:00:00Z.',
};
const selection: readonly Field[] = [
  {
    name: 'market',
    label: 'Market',
    hint: 'moneyline, spread, total, or another market, also in other words, such as ML.',
    required: true,
  },
  {
    name: 'subject',
    label: 'Subject',
    hint: 'The player, team, or question. Empty for moneyline, spread, total, and other markets about the game itself.',
  },
  { name: 'side', label: 'Side', hint: 'home, away, over, under, or another side.', required: true },
  { name: 'line', label: 'Line', hint: 'In steps of 0.25. Empty if the market has no line.', as: 'number' },
];

export const forms: readonly Form[] = [
  {
    kind: 'picks',
    title: 'Post a pick',
    submit: 'Post',
    fields: [
      { name: 'capperHandle', label: 'Capper', hint: 'Their handle.', required: true },
      sport,
      game,
      startsAt,
      ...selection,
      { name: 'pick', label: 'Selection in words', hint: 'For example, Foxes -3.5.', required: true },
      { name: 'oddsAmerican', label: 'Odds (American)', as: 'number', required: true },
      { name: 'stakeUnits', label: 'Stake in units', as: 'number', required: true },
      { name: 'book', label: 'Book', hint: 'The bookmaker with these odds. Optional.' },
    ],
  },
  {
    kind: 'results',
    title: 'Set a result',
    submit: 'Set',
    fields: [
      sport,
      game,
      startsAt,
      ...selection,
      { name: 'result', label: 'Result', options: ['win', 'loss', 'push', 'void'], required: true },
      { name: 'half', label: 'Of half the stake', options: ['no', 'yes'], as: 'flag' },
    ],
  },
  {
    kind: 'stats',
    title: 'Set a statistic of a player',
    submit: 'Set',
    fields: [
      sport,
      game,
      startsAt,
      { name: 'player', label: 'Player', required: true },
      { name: 'played', label: 'Played', options: ['yes', 'no'], as: 'flag', required: true },
      { name: 'statistic', label: 'Statistic', options: ['', ...statNames] },
      { name: 'value', label: 'Value', hint: 'Empty for a player who did not play.', as: 'number' },
    ],
    row: ({ statistic, value, ...row }) => ({
      ...row,
      ...(value === undefined
        ? {}
        : { [statistic === undefined ? 'value' : statField(statistic as StatName)]: value }),
    }),
  },
  {
    kind: 'games',
    title: 'Add a game or set its final score',
    submit: 'Save',
    fields: [
      sport,
      game,
      startsAt,
      {
        name: 'status',
        label: 'Status',
        options: ['scheduled', 'final', 'postponed', 'cancelled'],
        required: true,
      },
      { name: 'awayScore', label: 'Away score', as: 'number' },
      { name: 'homeScore', label: 'Home score', as: 'number' },
      { name: 'awayHalfScore', label: 'Away score, first half', as: 'number' },
      { name: 'homeHalfScore', label: 'Home score, first half', as: 'number' },
      {
        name: 'sets',
        label: 'Sets',
        hint: 'Tennis: the games of each set, home first, such as 6-4 3-6 7-6.',
        as: 'sets',
      },
      {
        name: 'played',
        label: 'Played',
        hint: 'Shortened: the game ended early.',
        options: ['', ...playedValues],
      },
      {
        name: 'periods',
        label: 'Periods played',
        hint: 'Of a shortened game, such as 5 innings or 3.75 quarters.',
        as: 'number',
      },
      { name: 'competition', label: 'Competition', hint: 'Of a new game. Optional.' },
    ],
  },
  {
    kind: 'cappers',
    title: 'Add or change a capper',
    submit: 'Save',
    fields: [
      { name: 'handle', label: 'Handle', required: true },
      { name: 'tier', label: 'Tier', options: tiers, required: true },
      { name: 'verified', label: 'Verified', options: ['yes', 'no'], as: 'flag', required: true },
      { name: 'displayName', label: 'Display name', hint: 'Optional.' },
    ],
  },
  {
    kind: 'invites',
    title: 'Invite a capper to sign their picks',
    submit: 'Make an invitation',
    fields: [
      {
        name: 'capperHandle',
        label: 'Capper',
        hint: 'Their handle. The link works once, within seven days. Send it to nobody else.',
        required: true,
      },
    ],
  },
  {
    kind: 'revocations',
    title: 'Revoke a capper’s key',
    submit: 'Revoke',
    fields: [
      { name: 'capperHandle', label: 'Capper', hint: 'Their handle.', required: true },
      {
        name: 'key',
        label: 'Key',
        hint: 'Its fingerprint, from the capper’s page. The log will say that you revoked it.',
        required: true,
      },
    ],
  },
  {
    kind: 'notices',
    title: 'Add a notice',
    submit: 'Add to the log',
    fields: [
      {
        name: 'text',
        label: 'Notice',
        hint: 'A sentence for visitors, at most 1000 characters. It becomes a log entry and cannot be removed.',
        required: true,
      },
    ],
  },
];

/** Makes a row of a form's fields. Empty fields are left out. */
export function rowOf(form: Form, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { name, as } of form.fields) {
    const value = given[name];
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') continue;
    if (as === 'flag') row[name] = text === 'yes';
    else if (as === 'sets') row[name] = writtenSets(text) ?? text;
    else if (as === 'number') row[name] = Number.isNaN(Number(text)) ? text : Number(text);
    else row[name] = text;
  }
  return form.row?.(row) ?? row;
}

/** What a form was sent with, and what came of it. */
export interface Sent {
  kind: string;
  given: Readonly<Record<string, unknown>>;
  /** A sentence. */
  message: string;
  refused: boolean;
}

/** @param key what makes a form that is sent twice count once */
export function formMarkup(form: Form, key: string, sent: Sent | undefined): Html {
  const { kind, title, submit, fields } = form;
  const own = sent?.kind === kind ? sent : undefined;
  const given = own?.refused === true ? own.given : {};
  return html`<form id="${kind}" method="post" action="/forms/${kind}#${kind}">
<h3>${title}</h3>
${own !== undefined && html`<p role="${own.refused ? 'alert' : 'status'}"><strong>${own.refused ? 'Refused.' : 'Done.'}</strong> ${own.message}</p>`}
<input type="hidden" name="key" value="${key}">
${fields.map((field) => input(kind, field, given[field.name]))}<p><button type="submit">${submit}</button></p>
</form>
`;
}

function input(kind: string, { name, label, hint, required, options }: Field, given: unknown): Html {
  const id = `${kind}-${name}`;
  const value = typeof given === 'string' ? given : '';
  const described = hint !== undefined && html` aria-describedby="${id}-hint"`;
  const must = required && html` required`;
  return html`<p class="field"><label for="${id}">${label}</label>
${
  options === undefined
    ? html`<input id="${id}" name="${name}" value="${value}" autocomplete="off"${described}${must}>`
    : html`<select id="${id}" name="${name}"${described}${must}>${options.map(
        (option) => html`<option${option === value && html` selected`}>${option}</option>`,
      )}</select>`
}${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>
`;
}
