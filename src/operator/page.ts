import { sportTag } from '../boards/formats/pick-text.ts';
import { counted } from '../pages/figures.ts';
import { type Html, html } from '../pages/html.ts';
import { plain } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { empty, pageHead, section } from '../pages/parts/section.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { WaitingGame } from '../sources/waiting.ts';
import { countsText, type ShownAction } from './actions.ts';
import { alert, choice, type Field, nextLinks, stepForm, type Values } from './fields.ts';
import { forms } from './forms.ts';
import { operatorFrame, sentence, type Viewer } from './frame.ts';
import { readable } from './imports/parts.ts';
import { shortWords, sidesNamed } from './selections.ts';

interface Home extends Viewer {
  /** Of a pick in one line. */
  quick: readonly Field[];
  waiting: readonly WaitingGame[];
  /** Whether there are more waiting games than `waiting` has. */
  moreWait: boolean;
  /** Number of events that are not sealed yet. */
  unsealed: number;
  /** Actions with refused rows, and all actions; newest first. */
  refusedActions: readonly ShownAction[];
  latest: readonly ShownAction[];
}

/** The operator's page: what can be done, waiting games, refusals, and recent changes. */
export function homePage(view: Home): string {
  const { operator, baseUrl, quick, waiting, moreWait, unsealed, refusedActions, latest } = view;
  const body = html`${pageHead({
    eyebrow: 'Signed in as',
    title: operator,
    lead: 'Changes you make here are recorded under this name. Prometheus metrics are at /metrics; use the bearer token.',
  })}${section({
    heading: 'Post a pick',
    id: 'pick',
    note: 'You see what will be sealed before it is.',
    body: stepForm({ path: '/forms/picks', fields: quick, values: {}, submit: 'Continue' }),
  })}${section({
    heading: 'Add or change',
    id: 'change',
    note: 'Each has a review before anything is stored.',
    body: html`<div class="sides">
${forms
  .filter(({ kind }) => kind !== 'picks')
  .map(({ kind, title, about }) => choice({ title, note: about, path: `/forms/${kind}` }))}${choice({
  ...{ title: 'Import a file', note: 'A sheet of bets, with a dry run.', path: '/import' },
})}</div>`,
  })}${section({
    heading: 'Waiting',
    id: 'waiting',
    note: 'Pending picks on games that are over, postponed, or no longer listed, and what would settle them.',
    body: html`<p>${unsealed === 0 ? 'All events are sealed.' : `${unsealed === 1000 ? '1,000 or more' : unsealed} events are waiting to be sealed.`}</p>
${
  waiting.length === 0
    ? empty('No picks are waiting.')
    : entries(
        'Waiting picks',
        waiting.flatMap((game) =>
          game.selections.map((selection) => ({
            title: `${shortWords(sidesNamed(game.sport, game.name), selection)}, ${counted(selection.picks, 'pick')}`,
            lines: [
              html`${sportTag(game.sport)}: ${game.name}, ${game.startsAt === null ? 'no start' : fullWhen(iso(game.startsAt))}`,
              html`Needs ${selection.needs}. ${settleLinks(game, selection)}`,
              sentence(game.reasons.join('; ')),
            ],
          })),
        ),
      )
}${moreWait && html`<p>More games wait. <code>npm run cli -- waiting</code> lists all of them.</p>`}`,
  })}${section({
    heading: 'Refused',
    id: 'refused',
    body:
      refusedActions.length === 0
        ? empty('Nothing refused.')
        : entries(
            'Refused rows',
            refusedActions.map((action) => ({
              title: titleOf(action),
              lines: [
                whoAndWhen(action),
                (action.refusals ?? []).map(({ index, reason }) => `row ${index + 1}: ${reason}`).join('; '),
              ],
            })),
          ),
  })}${section({
    heading: 'Recent changes',
    id: 'actions',
    note: 'The latest 30.',
    body:
      latest.length === 0
        ? empty('No changes yet.')
        : entries(
            'Changes',
            latest.map((action) => ({
              title: `${titleOf(action)}${action.rows > 1 ? ` (${action.rows} rows)` : ''}`,
              lines: [html`${whoAndWhen(action)}: ${outcomeOf(action)}`],
            })),
          ),
  })}`;
  return operatorFrame({ operator, baseUrl }, 'Home', body);
}

/** Where a person sets what a waiting selection needs. */
function settleLinks(
  { id }: WaitingGame,
  { market, subject, side, line, needs }: WaitingGame['selections'][number],
): Html {
  const game = String(id);
  const link = (label: string, kind: string, values: Values) =>
    html`<a href="${pathWith(`/forms/${kind}`, { game, ...values })}">${label}</a> `;
  const selection = {
    market,
    subject: subject ?? undefined,
    side,
    line: line === null ? undefined : String(line),
  };
  return html`${/score|set|played/.test(needs) && link('Set the score', 'scores', {})}${
    /statistics/.test(needs) && link('Set statistics', 'stats', { player: subject ?? undefined })
  }${/result event/.test(needs) && link('Set the result', 'results', selection)}`;
}

/** What became of a change, and where to go on. */
export function donePage(
  viewer: Viewer,
  {
    title,
    refused,
    message,
    links,
  }: {
    title: string;
    refused: boolean;
    message: Html | string;
    links: readonly { label: string; path: string }[];
  },
): string {
  return operatorFrame(
    viewer,
    title,
    html`${pageHead({ eyebrow: title, title: refused ? 'Refused' : 'Done' })}${section({
      heading: refused ? 'Why' : 'What happened',
      id: 'done',
      body: html`${refused ? alert(message) : html`<p role="status">${message}</p>`}
${nextLinks(links)}`,
    })}`,
  );
}

/** A list whose entries have a title and lines below it. */
function entries(label: string, list: readonly { title: string; lines: readonly (Html | string)[] }[]): Html {
  return html`<ul class="changes" aria-label="${label}">${list.map(
    ({
      title,
      lines,
    }) => html`<li><strong>${title}</strong>${lines.map((line) => line !== '' && html`<p>${line}</p>`)}</li>
`,
  )}</ul>`;
}

function titleOf({ action, about }: ShownAction): string {
  return `${plain(action)}: ${readable(about)}`;
}

function whoAndWhen({ operator, at }: ShownAction): Html {
  return html`${operator}, ${fullWhen(iso(at))}`;
}

function outcomeOf({ counts }: ShownAction): string {
  return counts === null ? 'failed or interrupted' : countsText(counts);
}
