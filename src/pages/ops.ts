import { utcText } from '../formats/pick-facts.ts';
import { type Status, worst } from '../status/check.ts';
import type { History, Rounds } from '../status/history.ts';
import type { ShownCheck, ShownIncident, StatusReport } from '../status/report.ts';
import { span } from '../status/span.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { dayStatus, historyBars, type ShownDay } from './ops-bars.ts';

const words: Record<Status, string> = { ok: 'OK', degraded: 'Degraded', down: 'Down' };

const banners: Record<Status, string> = {
  ok: 'Everything works.',
  degraded: 'Something is not as it should be.',
  down: 'Something is down.',
};

/** By the beginnings of the checks' names; whatever is left stands in the first group. */
const groups: readonly (readonly [title: string, prefix: RegExp])[] = [
  ['Webhooks', /^(fanout|deliveries)$/],
  ['Workers', /^workers-/],
  ['Jobs', /^jobs-/],
  ['Boards', /^(board:|boards-lag$)/],
];

/**
 * `/ops`: what `/api/status` tells, for people. It says everything in words too: nothing depends on colour, sight or a script.
 * @param history undefined where it cannot be read at the moment
 */
export function opsPage(report: StatusReport, history: History | undefined, baseUrl: string): string {
  const { status, checks, incidents, notices, totals, generatedAt } = report;
  const open = incidents.filter(({ closedAt }) => closedAt === null);
  const closed = incidents.filter(({ closedAt }) => closedAt !== null);
  const grouped = grouping(checks);
  const titles = new Map(checks.map(({ name, title }) => [name, title]));
  const body = html`<h1>Status</h1>
<p class="banner ${status}" role="status"><strong>${banners[status]}</strong> ${summary(checks)} As of ${time(generatedAt)}.</p>

<h2>Open incidents</h2>
${open.length === 0 ? html`<p>There are none.</p>` : html`<ul class="incidents">${open.map(incident)}</ul>`}

${grouped.map(([title, list]) => section(title, list, history, titles))}
<h2>Last 90 days in words</h2>
${history === undefined ? html`<p>The history cannot be read at the moment.</p>` : inWords(checks, history)}

<h2>Closed incidents of the last 7 days</h2>
${closed.length === 0 ? html`<p>There are none.</p>` : html`<ul class="incidents">${closed.map(incident)}</ul>`}

${
  totals !== null &&
  html`<h2>Totals</h2>
<dl class="facts">
${fact('Picks', totals.picks)}${fact('Settled', totals.settled)}${fact('Pending', totals.pending)}
${fact('Cappers', totals.cappers)}${fact('Webhooks', totals.subscriptions)}${fact('Deliveries, 24 hours', totals.deliveries24h)}
</dl>`
}

<h2>Operator's notices</h2>
${
  notices.length === 0
    ? html`<p>There are none.</p>`
    : html`<ul class="notices">${notices.map(({ at, text }) => html`<li>${time(at)}: <bdi>${text}</bdi></li>`)}</ul>`
}
<p>The same as JSON: <a href="/api/status">/api/status</a>. A day is one in Eastern Time.</p>`;
  const page = {
    title: `Status: ${words[status]}`,
    about: 'Whether everything is fresh and works: checks, incidents and 90 days of history.',
    path: '/ops',
    under: '/ops',
    body,
  };
  return layout(page, baseUrl);
}

function grouping(checks: readonly ShownCheck[]): [title: string, checks: ShownCheck[]][] {
  const groupOf = ({ name }: ShownCheck) =>
    groups.find(([, prefix]) => prefix.test(name))?.[0] ?? 'Stores and ledger';
  const titles = ['Stores and ledger', ...groups.map(([title]) => title)];
  return titles
    .map((title): [string, ShownCheck[]] => [title, checks.filter((check) => groupOf(check) === title)])
    .filter(([, list]) => list.length > 0);
}

function summary(checks: readonly ShownCheck[]): string {
  const well = checks.filter(({ status }) => status === 'ok').length;
  return `Checks that are well: ${well} of ${checks.length}.`;
}

type Titles = ReadonlyMap<string, string>;

function section(
  title: string,
  checks: readonly ShownCheck[],
  history: History | undefined,
  titles: Titles,
): Html {
  const status = worst(checks.map((check) => check.status));
  return html`<h2>${title} <span class="state ${status}">${words[status]}</span></h2>
<div class="scroll"><table class="checks">
<thead><tr><th scope="col">Check</th><th scope="col">Now</th><th scope="col">Last 90 days</th></tr></thead>
<tbody>
${checks.map((check) => row(check, history, titles))}</tbody>
</table></div>
`;
}

function row(check: ShownCheck, history: History | undefined, titles: Titles): Html {
  const { name, title, status, message, cause } = check;
  return html`<tr>
<th scope="row">${title}<p>${message}${cause !== undefined && ` Explained by: ${titles.get(cause) ?? cause}.`}</p></th>
<td><span class="state ${status}">${words[status]}</span></td>
<td>${history === undefined ? 'unknown' : historyBars(daysOf(name, history))}</td>
</tr>
`;
}

function incident(each: ShownIncident): Html {
  const { title, worst: worstStatus, message, affects, openedAt, closedAt, durationSeconds } = each;
  return html`<li><strong class="state ${worstStatus}">${words[worstStatus]}</strong> <strong>${title}</strong>
<p>${message}</p>
<p class="when">${closedAt === null ? 'Since' : 'From'} ${time(openedAt)}${closedAt !== null && html` to ${time(closedAt)}`},
${span(durationSeconds)}.${affects.length > 0 && ` It also affects: ${affects.join(', ')}.`}</p></li>
`;
}

function daysOf(name: string, { days, byName }: History): ShownDay[] {
  const rounds = byName.get(name);
  return days.map((day, index): ShownDay => ({ day, status: dayStatus(rounds?.[index]) }));
}

/** The history without looking at bars: a table, and dates. */
function inWords(checks: readonly ShownCheck[], history: History): Html {
  return html`<details><summary>Show the table</summary><div class="scroll"><table>
<thead><tr><th scope="col">Check</th><th scope="col">Days measured</th><th scope="col">Share of checks that were well</th>
<th scope="col">Days with trouble</th></tr></thead>
<tbody>
${checks.map((check) => {
  const days = daysOf(check.name, history);
  const bad = days.filter(({ status }) => status === 'degraded' || status === 'down');
  const measured = days.filter(({ status }) => status !== undefined).length;
  return html`<tr><th scope="row">${check.title}</th><td>${measured} of ${days.length}</td><td>${share(history.byName.get(check.name))}</td>
<td>${bad.length === 0 ? 'none' : bad.map(({ day, status }) => `${day} (${status})`).join(', ')}</td></tr>
`;
})}</tbody>
</table></div></details>`;
}

function share(days: readonly (Rounds | undefined)[] | undefined): string {
  let well = 0;
  let all = 0;
  for (const rounds of days ?? []) {
    well += rounds?.ok ?? 0;
    all += (rounds?.ok ?? 0) + (rounds?.degraded ?? 0) + (rounds?.down ?? 0);
  }
  // Rounded down: 100 % is without a fault.
  return all === 0 ? '–' : `${Math.floor((well / all) * 10_000) / 100} %`;
}

function fact(name: string, value: number): Html {
  return html`<div><dt>${name}</dt><dd>${value.toLocaleString('en-US')}</dd></div>
`;
}

function time(instant: string): Html {
  return html`<time datetime="${instant}">${utcText(instant)}</time>`;
}
