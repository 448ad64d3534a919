import { type Html, html, htmlText } from '../pages/html.ts';
import { empty, pageHead, section } from '../pages/parts/section.ts';
import { stylesheetHash, stylesheetPath } from '../pages/stylesheet.ts';
import { iso } from '../platform/clock.ts';
import type { WaitingGame } from '../sources/waiting.ts';
import type { ShownAction } from './actions.ts';
import { formMarkup, forms, type Sent } from './forms.ts';

interface View {
  /** Who looks at it. */
  operator: string;
  /** The public site's. */
  baseUrl: string;
  /** For the forms. */
  key: string;
  sent: Sent | undefined;
  waiting: readonly WaitingGame[];
  /** Events that wait for their place in the log. */
  unsealed: number;
  /** Actions with refused rows, and all of them; the latest first. */
  refusedActions: readonly ShownAction[];
  latest: readonly ShownAction[];
}

/** The operator's page: what can be changed, what waits, what was refused, who did what. */
export function operatorPage(view: View): string {
  const { operator, baseUrl, key, sent, waiting, unsealed, refusedActions, latest } = view;
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
<li><a class="masthead-link" href="/queues">Queues</a></li>
<li><a class="masthead-link" href="${baseUrl}/ops">Status</a></li>
<li><a class="masthead-link" href="${baseUrl}/">Site</a></li>
</ul></nav>
</header>
<main id="content">
${pageHead({
  eyebrow: 'Operator',
  title: operator,
  lead: 'Every change made here is recorded under this name. Metrics for Prometheus are at /metrics, with a bearer token.',
})}${section({
  heading: 'Change',
  id: 'change',
  note: 'What is stored in the ledger cannot be taken back.',
  body: html`${forms.map((form) => formMarkup(form, key, sent))}`,
})}${section({
  heading: 'What waits',
  id: 'waiting',
  note: 'Games with pending picks that are overdue, postponed or no longer listed.',
  body: html`<p>${unsealed === 0 ? 'Every event is sealed.' : `${unsealed === 1000 ? '1,000 or more' : unsealed} events wait for their place in the log.`}</p>
${
  waiting.length === 0
    ? empty('No pick waits for such a game.')
    : table(
        'Games that picks wait for',
        ['Game', 'Start', 'Picks', 'Why'],
        waiting.map((game) => [
          `${game.sport}: ${game.name}`,
          instantText(game.startsAt),
          String(game.picks),
          game.reasons.join('; '),
        ]),
      )
}`,
})}${section({
  heading: 'What was refused',
  id: 'refused',
  body:
    refusedActions.length === 0
      ? empty('Nothing was refused yet.')
      : table(
          'Refused rows',
          ['When', 'Who', 'What', 'Why'],
          refusedActions.map((action) => [
            instantText(action.at),
            action.operator,
            `${action.action}: ${action.about}`,
            (action.refusals ?? []).map(({ index, reason }) => `row ${index + 1}: ${reason}`).join('; '),
          ]),
        ),
})}${section({
  heading: 'Who did what',
  id: 'actions',
  note: 'The latest thirty changes.',
  body:
    latest.length === 0
      ? empty('Nothing was changed yet.')
      : table(
          'Changes',
          ['When', 'Who', 'What', 'Outcome'],
          latest.map((action) => [
            instantText(action.at),
            action.operator,
            `${action.action}: ${action.about}${action.rows > 1 ? `, and ${action.rows - 1} more` : ''}`,
            action.counts === null
              ? 'failed or cut off'
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
