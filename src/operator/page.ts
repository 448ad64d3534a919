import { selectionText } from '../games/results.ts';
import { type Html, html, htmlText } from '../pages/html.ts';
import { empty, pageHead, section } from '../pages/parts/section.ts';
import { stylesheetHash, stylesheetPath } from '../pages/stylesheet.ts';
import { iso } from '../platform/clock.ts';
import type { WaitingGame } from '../sources/waiting.ts';
import type { ShownAction } from './actions.ts';
import { formMarkup, forms, type Sent } from './forms.ts';

interface View {
  /** The name of the signed-in operator. */
  operator: string;
  /** The public site's. */
  baseUrl: string;
  /** For the forms. */
  key: string;
  sent: Sent | undefined;
  waiting: readonly WaitingGame[];
  /** Whether there are more waiting games than `waiting` has. */
  moreWait: boolean;
  /** Number of events that are not sealed yet. */
  unsealed: number;
  /** Actions with refused rows, and all actions; newest first. */
  refusedActions: readonly ShownAction[];
  latest: readonly ShownAction[];
}

/** The operator's page: forms, waiting games, refusals, and recent changes. */
export function operatorPage(view: View): string {
  const { operator, baseUrl, key, sent, waiting, moreWait, unsealed, refusedActions, latest } = view;
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Operator · Public Picks</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}?v=${stylesheetHash}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="masthead">
<a class="brand" href="/">Public Picks: operator</a>
<nav aria-label="Operator"><ul>
<li><a class="masthead-link" href="/import">Import</a></li>
<li><a class="masthead-link" href="/docs">API</a></li>
<li><a class="masthead-link" href="/queues">Queues</a></li>
<li><a class="masthead-link" href="${baseUrl}/ops">Status</a></li>
<li><a class="masthead-link" href="${baseUrl}/">Site</a></li>
</ul></nav>
</header>
<main id="content">
${pageHead({
  eyebrow: 'Operator',
  title: operator,
  lead: 'Changes you make here are recorded under this name. Prometheus metrics are at /metrics; use the bearer token.',
})}${section({
  heading: 'Add or change',
  id: 'change',
  note: 'Ledger entries cannot be undone.',
  body: html`${forms.map((form) => formMarkup(form, key, sent))}`,
})}${section({
  heading: 'Waiting',
  id: 'waiting',
  note: 'Pending picks on games that are over, postponed, or no longer listed, and what would settle them.',
  body: html`<p>${unsealed === 0 ? 'All events are sealed.' : `${unsealed === 1000 ? '1,000 or more' : unsealed} events are waiting to be sealed.`}</p>
${
  waiting.length === 0
    ? empty('No picks are waiting.')
    : table(
        'Waiting picks',
        ['Game', 'Start', 'Selection', 'Picks', 'Needs', 'Game status'],
        waiting.flatMap((game) =>
          game.selections.map((selection) => [
            `${game.sport}: ${game.name}`,
            instantText(game.startsAt),
            selectionText(selection),
            String(selection.picks),
            selection.needs,
            game.reasons.join('; '),
          ]),
        ),
      )
}${moreWait && html`<p>More games wait. <code>npm run cli -- waiting</code> lists all of them.</p>`}`,
})}${section({
  heading: 'Refused',
  id: 'refused',
  body:
    refusedActions.length === 0
      ? empty('Nothing refused.')
      : table(
          'Refused rows',
          ['Time', 'Operator', 'Action', 'Reason'],
          refusedActions.map((action) => [
            instantText(action.at),
            action.operator,
            `${action.action}: ${action.about}`,
            (action.refusals ?? []).map(({ index, reason }) => `row ${index + 1}: ${reason}`).join('; '),
          ]),
        ),
})}${section({
  heading: 'Recent changes',
  id: 'actions',
  note: 'The latest 30.',
  body:
    latest.length === 0
      ? empty('No changes yet.')
      : table(
          'Changes',
          ['Time', 'Operator', 'Action', 'Outcome'],
          latest.map((action) => [
            instantText(action.at),
            action.operator,
            `${action.action}: ${action.about}${action.rows > 1 ? `, and ${action.rows - 1} more` : ''}`,
            action.counts === null
              ? 'failed or interrupted'
              : Object.entries(action.counts)
                  .map(([outcome, count]) => `${count} ${outcome}`)
                  .join(', '),
          ]),
        ),
})}</main>
</body>
</html>
`);
}

function table(label: string, heads: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><table class="plain">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table></section>`;
}

function instantText(at: number | null): string {
  return at === null ? 'none' : iso(at).replace('T', ' ').replace('.000Z', ' UTC');
}
