import { sportTag } from '../boards/formats/pick-text.ts';
import type { Game } from '../games/game.ts';
import type { Twins } from '../games/twins.ts';
import { counted } from '../pages/figures.ts';
import { type Html, html } from '../pages/html.ts';
import { plain } from '../pages/labels.ts';
import { alert, choice, type Field, hidden, type Values } from '../pages/parts/fields.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { pageHead, part, section } from '../pages/parts/section.ts';
import { fullWhen, unknownStart } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { UnpricedPlayer, WaitingGame } from '../sources/waiting.ts';
import type { OpenIncident } from '../status/state.ts';
import { countsText, type ShownAction } from './actions.ts';
import { selectionValues, selectionWords } from './choosing.ts';
import { nextLinks, stepForm } from './form.ts';
import { forms } from './forms.ts';
import { entryList, operatorFrame, sentence, type Viewer } from './frame.ts';
import { readable } from './imports/parts.ts';

interface Home extends Viewer {
  /** Open incidents, worst first. */
  incidents: readonly OpenIncident[];
  /** Fields for a pick in one line. */
  quick: readonly Field[];
  waiting: readonly WaitingGame[];
  /** Whether further games are waiting. */
  moreWait: boolean;
  /** Games that look like one, soonest first. */
  twins: readonly Twins[];
  /** Players with picks whom the price list does not name. */
  unpriced: readonly UnpricedPlayer[];
  /** Actions with refused rows, and all actions, newest first. */
  refusedActions: readonly ShownAction[];
  latest: readonly ShownAction[];
}

export function homePage(view: Home): string {
  const { operator, baseUrl, incidents, quick, waiting, moreWait, twins, unpriced } = view;
  const { refusedActions, latest } = view;
  const body = html`${pageHead({
    eyebrow: 'Signed in as',
    title: operator,
    lead: 'Your changes are recorded under this name.',
  })}${
    incidents.length > 0 &&
    part(
      alert(
        html`<a href="${baseUrl}/ops">${counted(incidents.length, 'open incident')}</a>: ${incidents.map(({ title }) => title).join(', ')}.`,
      ),
    )
  }${section({
    heading: 'Post a pick',
    id: 'pick',
    note: 'You review the pick before it is posted.',
    body: stepForm({ path: '/forms/picks', fields: quick, values: {}, submit: 'Continue' }),
  })}${section({
    heading: 'Add or change',
    id: 'change',
    note: 'You review each change before it is stored.',
    body: html`<div class="sides">
${Object.entries(forms)
  .filter(([name]) => name !== 'picks')
  .map(([name, { title, about }]) => choice({ title, note: about, path: `/forms/${name}` }))}${choice({
  title: 'Import a file',
  note: 'Bets in a spreadsheet, with a preview.',
  path: '/import',
})}</div>`,
  })}${section({
    heading: 'Waiting',
    id: 'waiting',
    note: 'Pending picks on games that are over, postponed, or missing from the sources, and what would settle them.',
    body: html`${entryList(
      'Waiting picks',
      waiting.flatMap((game) =>
        game.selections.map((selection) => ({
          title: `${selectionWords(game, selection)}, ${counted(selection.picks, 'pick')}`,
          lines: [
            html`${sportTag(game.sport)}: ${game.name}, ${game.startsAt === null ? unknownStart(game) : fullWhen(iso(game.startsAt))}`,
            html`Needs ${selection.needs}. ${settleLinks(game, selection)}`,
            sentence(game.reasons.join('; ')),
          ],
        })),
      ),
      'No picks are waiting.',
    )}${moreWait && html`<p>More games are waiting. <code>npm run cli -- waiting</code> lists them all.</p>`}`,
  })}${
    twins.length > 0 &&
    section({
      heading: 'One game or two?',
      id: 'twins',
      note: 'Games at about the same time that share an opponent. Joining them gives one game their picks, prices, and score, and teaches the service the other name.',
      body: entryList(
        'Games that look like one',
        twins.slice(0, 50).map((pair) => ({ title: 'Probably one game', lines: twinsLines(pair) })),
      ),
    })
  }${
    unpriced.length > 0 &&
    section({
      heading: 'Players without prices',
      id: 'players',
      note: 'Picks on players whom the price list of their game does not name. Choosing a name teaches the service that it means the player.',
      body: entryList(
        'Players without prices',
        unpriced.slice(0, 50).map((each) => ({ title: each.player, lines: unpricedLines(each) })),
      ),
    })
  }${section({
    heading: 'Refused',
    id: 'refused',
    body: entryList(
      'Refused rows',
      refusedActions.map((action) => ({
        title: titleOf(action),
        lines: [
          whoAndWhen(action),
          (action.refusals ?? [])
            .map(({ index, reason }) => `row ${index + 1}: ${readable(reason)}`)
            .join('; '),
        ],
      })),
      'No refused rows.',
    ),
  })}${section({
    heading: 'Recent changes',
    id: 'actions',
    note: 'The latest 30.',
    body: entryList(
      'Changes',
      latest.map((action) => ({
        title: `${titleOf(action)}${action.rows > 1 ? ` (${action.rows} rows)` : ''}`,
        lines: [
          html`${whoAndWhen(action)}: ${action.counts === null ? 'failed or interrupted' : countsText(action.counts)}`,
        ],
      })),
      'No changes yet.',
    ),
  })}`;
  return operatorFrame({ operator, baseUrl }, 'Home', body);
}

function joinButton(row: object, key: string, label: string): Html {
  const fields = { row: JSON.stringify(row), key: key.slice(0, 60) };
  return html`<form class="step" method="post" action="/forms/joins">${hidden(fields)}<button type="submit">${label}</button></form>`;
}

/** Renders two games that look like one, with a button that joins them. */
function twinsLines({ to, from }: Twins): Html[] {
  const line = ({ sport, name, startsAt }: Game) =>
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt!))}`;
  return [line(to), line(from), joinButton({ game: to.id, other: from.id }, `${to.id}-${from.id}`, 'Join')];
}

/** Renders a player whom the price list does not name, with a button for each name that can be meant. */
function unpricedLines({ sport, name, startsAt, player, near }: UnpricedPlayer): (Html | string)[] {
  return [
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt))}`,
    near.length === 0 ? 'No similar name has a price.' : 'The same player in the price list?',
    ...near.map((alias) => joinButton({ sport, alias, player }, `${sport}-${alias}`, alias)),
  ];
}

function settleLinks({ id }: WaitingGame, { needs, ...selection }: WaitingGame['selections'][number]): Html {
  const game = String(id);
  const link = (label: string, kind: string, values: Values) =>
    html`<a href="${pathWith(`/forms/${kind}`, { game, ...values })}">${label}</a> `;
  return html`${/score|set|played/.test(needs) && link('Set the score', 'scores', {})}${
    /statistics/.test(needs) && link('Set statistics', 'stats', { player: selection.subject ?? undefined })
  }${/result event/.test(needs) && link('Set the result', 'results', selectionValues(selection))}`;
}

/** The outcome of a submitted review. */
export interface Sent {
  refused: boolean;
  message: Html | string;
  /** Next steps. */
  links: readonly { label: string; path: string }[];
}

export function donePage(viewer: Viewer, title: string, { refused, message, links }: Sent): string {
  return operatorFrame(
    viewer,
    title,
    html`${pageHead({ eyebrow: title, title: refused ? 'Refused' : 'Done' })}${section({
      heading: refused ? 'Reason' : 'Result',
      id: 'done',
      body: html`${refused ? alert(message) : html`<p role="status">${message}</p>`}
${nextLinks(links)}`,
    })}`,
  );
}

function titleOf({ action, about }: ShownAction): string {
  return `${plain(action)}: ${readable(about)}`;
}

function whoAndWhen({ operator, at }: ShownAction): Html {
  return html`${operator}, ${fullWhen(iso(at))}`;
}
