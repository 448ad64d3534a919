import { leftOutText } from '../../sources/answer.ts';
import { type Impact, impactOf, impacts, impactsOfFailure } from '../../sources/impact.ts';
import { type Status, worst } from '../../status/check.ts';
import type { History, Rounds } from '../../status/history.ts';
import { entryOf } from '../../status/index.ts';
import type { ShownCheck, ShownIncident, ShownSource, StatusReport } from '../../status/report.ts';
import { span } from '../../status/span.ts';
import { countText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { facts, lines, listed, table } from '../parts/lists.ts';
import { empty, pageHead, section } from '../parts/section.ts';
import { loadingText } from '../parts/trouble.ts';
import type { Site } from '../site.ts';
import { fullWhen } from '../times.ts';

const words: Record<Status, string> = { ok: 'OK', degraded: 'Degraded', down: 'Down' };

const banners: Record<Status, string> = {
  ok: 'All systems operational',
  degraded: 'Some data is delayed',
  down: 'Some features are unavailable',
};

/** Groups of checks by name. The first group takes the rest. */
const groups: readonly (readonly [heading: string, id: string, names: RegExp])[] = [
  ['Stores and ledger', 'ledger', /^$/],
  ['Webhooks', 'webhooks', /^(fanout|deliveries)$/],
  ['Workers', 'workers', /^workers-/],
  ['Jobs', 'jobs', /^jobs-/],
  ['Boards', 'boards', /^(board:|boards-lag$)/],
];

/**
 * `/ops`: the contents of `/api/status` for people. Everything is also in words, so nothing depends on color, sight, or a script.
 * @param history undefined if it cannot be read
 * @param loaded loaded share of the demo data, from 0 to 1
 */
export function opsPage(report: StatusReport, history: History | undefined, site: Site, loaded = 1): string {
  const { status, checks } = report;
  const body = html`${pageHead({
    eyebrow: 'Status',
    // Loading uses the whole capacity of the service, which checks report as trouble.
    title: loaded < 1 ? loadingText(loaded) : banners[status],
    lead: html`${loaded === 1 ? html`<span class="banner ${status}">${summary(checks)}</span>` : 'Checks count once it has loaded.'} Updated ${fullWhen(report.generatedAt)}.`,
  })}${loaded === 1 && healthSections(report, history)}${section({
    heading: 'Sources',
    id: 'sources',
    note: 'Where games, odds, and scores come from, and what is missing from them.',
    body: html`${impactList(report.sources)}${sourceList(report.sources)}`,
  })}${section({ heading: 'Totals', id: 'totals', body: totalsList(report.totals) })}${section({
    heading: 'Notices',
    id: 'notices',
    note: 'Remarks by operators, and corrections that changed no settled pick.',
    body: noticeList(report.notices),
  })}`;
  const page = {
    title: `Status: ${loaded < 1 ? 'Loading' : words[status]}`,
    about: 'Service status: checks, incidents, and 90 days of history.',
    path: '/ops',
    under: '/ops',
    body,
  };
  return layout(page, site);
}

/** Renders incidents and checks. They say nothing while demo data is loading. */
function healthSections({ checks, incidents }: StatusReport, history: History | undefined): Html {
  return html`${section({
    heading: 'Open incidents',
    id: 'open',
    data: [{ path: '/api/status' }],
    body: incidentList(incidents.filter(({ closedAt }) => closedAt === null)),
  })}${section({
    heading: 'Checks',
    id: 'checks',
    note:
      history === undefined
        ? 'The last 90 days are unavailable right now.'
        : 'With the last 90 days of each, in Eastern Time. Short and gray: not measured.',
    body: checkGroups(checks, history),
  })}${section({
    heading: 'Closed incidents',
    id: 'closed',
    note: 'Last 7 days.',
    body: incidentList(incidents.filter(({ closedAt }) => closedAt !== null)),
  })}`;
}

function summary(checks: readonly ShownCheck[]): string {
  const well = checks.filter(({ status }) => status === 'ok').length;
  return `Passing checks: ${well} of ${checks.length}.`;
}

/** Groups whose checks all pass are folded. */
function checkGroups(checks: readonly ShownCheck[], history: History | undefined): Html {
  const titles = new Map(checks.map(({ name, title }) => [name, title]));
  const groupOf = ({ name }: ShownCheck) => groups.find(([, , names]) => names.test(name)) ?? groups[0];
  return html`${groups.map((group) => {
    const list = checks.filter((check) => groupOf(check) === group);
    if (list.length === 0) return '';
    const [heading, id] = group;
    const status = worst(list.map((each) => each.status));
    const well = list.filter((each) => each.status === 'ok').length;
    return html`<details class="group-of-checks" id="${id}"${status !== 'ok' && html` open`}><summary><strong>${heading}</strong> ${state(status)} <small>${well} of ${list.length} passing</small></summary>
${lines(list.map((check) => item(check, titles, history)))}</details>
`;
  })}`;
}

function state(status: Status): Html {
  return html`<span class="state ${status}">${words[status]}</span>`;
}

function item(check: ShownCheck, titles: ReadonlyMap<string, string>, history: History | undefined): Html {
  const { name, title, status, message, cause } = check;
  return html`<div><strong>${title}</strong> ${state(status)}
<p class="note">${message}${cause !== undefined && ` Caused by: ${titles.get(cause) ?? cause}.`}</p></div>
${history !== undefined && historyBars(daysOf(name, history))}`;
}

function incidentList(incidents: readonly ShownIncident[]): Html {
  return listed(incidents, 'None.', (some) =>
    lines(
      some.map(
        ({ check, title, worst: worstStatus, message, affects, openedAt, closedAt, durationSeconds }) =>
          html`${state(worstStatus)} <strong>${closedAt === null ? (entryOf(check)?.readers ?? title) : title}</strong>
<p class="note">${closedAt === null && `${title}. `}${message}</p>
<p class="note">${closedAt === null ? 'Since' : 'From'} ${fullWhen(openedAt)}${closedAt !== null && html` to ${fullWhen(closedAt)}`}, ${span(durationSeconds)}.${
            affects.length > 0 && ` Also affects: ${affects.join(', ')}.`
          }</p>`,
      ),
    ),
  );
}

function daysOf(name: string, { days, byName }: History): ShownDay[] {
  const rounds = byName.get(name);
  return days.map((day, index): ShownDay => ({ day, status: dayStatus(rounds?.[index]) }));
}

const missing: Record<Impact, string> = {
  results: 'Results: picks may settle late',
  games: 'Games: some may be missing or show an old start time',
  prices: 'Odds: some picks may have no closing odds',
};

function impactList(sources: readonly ShownSource[]): Html | '' {
  if (sources.length === 0) return '';
  const items = impacts.flatMap((impact) => {
    const causes = sources.flatMap(({ feed, ok, nextAt, leftOut }) => {
      const own = Object.entries(leftOut).filter(([reason]) => impactOf(reason) === impact);
      return [
        ...(!ok && nextAt !== null && impactsOfFailure(feed).includes(impact) ? [`${feed} is failing`] : []),
        ...(own.length > 0 ? [`${leftOutText(Object.fromEntries(own))} in ${feed}`] : []),
      ];
    });
    return causes.length === 0 ? [] : { impact, causes };
  });
  if (items.length === 0) return html`<p>All feeds work, and no data is missing for games on this site.</p>`;
  return lines(
    items.map(
      ({ impact, causes }) => html`<strong>${missing[impact]}.</strong>
<p class="note"><bdi>${causes.slice(0, maxCauses).join('; ')}${causes.length > maxCauses && ` and ${causes.length - maxCauses} more`}.</bdi></p>`,
    ),
  );
}

const maxCauses = 6;

function sourceList(sources: readonly ShownSource[]): Html {
  return listed(sources, 'None configured: operators post games, odds, and results.', (some) =>
    table(
      ['Feed', 'State', 'Last result', 'Skipped', 'Last poll', 'Next poll'],
      some.map(({ feed, title, ok, message, leftOut, askedAt, nextAt }) => [
        html`<abbr title="${title}">${feed}</abbr>`,
        ok ? 'OK' : 'Failing',
        html`<bdi>${message}</bdi>`,
        leftOutText(leftOut) || 'nothing',
        askedAt === null ? 'not yet' : fullWhen(askedAt),
        nextAt === null ? 'when a game needs it' : fullWhen(nextAt),
      ]),
    ),
  );
}

function totalsList(totals: StatusReport['totals']): Html {
  if (totals === null) return empty('Totals are unavailable right now. Try again in a minute.');
  const { picks, settled, pending, cappers, subscriptions, deliveries24h } = totals;
  const rows = Object.entries({
    Picks: picks,
    Settled: settled,
    Pending: pending,
    Cappers: cappers,
    Webhooks: subscriptions,
    'Deliveries in 24 hours': deliveries24h,
  });
  return facts(rows.map(([name, value]) => [name, countText(value)]));
}

function noticeList(notices: StatusReport['notices']): Html {
  return listed(notices, 'None.', (some) =>
    lines(
      some.map(
        ({ at, text }) => html`<bdi>${text}</bdi>
<p class="note">${fullWhen(at)}</p>`,
      ),
    ),
  );
}

/** Undefined without measurements. */
interface ShownDay {
  day: string;
  status: Status | undefined;
}

function dayStatus(rounds: Rounds | undefined): Status | undefined {
  if (rounds === undefined || rounds.ok + rounds.degraded + rounds.down === 0) return undefined;
  return rounds.down > 0 ? 'down' : rounds.degraded > 0 ? 'degraded' : 'ok';
}

const step = 4;
const tallest = 20;

/** The height also shows the status, so color is not needed. */
const kinds = [
  { status: undefined, name: 'unmeasured', height: 4 },
  { status: 'ok', name: 'ok', height: 11 },
  { status: 'degraded', name: 'degraded', height: 16 },
  { status: 'down', name: 'down', height: tallest },
] as const;

export function historyBars(days: readonly ShownDay[]): Html {
  const total = days.length * step;
  const count = (status: Status | undefined) => days.filter((day) => day.status === status).length;
  const label = `${days.length} days: ${count('ok')} OK, ${count('degraded')} degraded, ${count('down')} down, ${count(undefined)} not measured`;
  return html`<svg class="days" role="img" aria-label="${label}" viewBox="0 0 ${total} ${tallest}" width="${total}" height="${tallest}">${kinds.map(
    ({ status, name, height }) => {
      const path = runsOf(days, status)
        .map(([from, length]) => `M${from * step} ${tallest - height / 2}h${length * step - 1}`)
        .join('');
      return path !== '' && html`<path class="${name}" stroke-width="${height}" d="${path}"/>`;
    },
  )}</svg>`;
}

/** Returns runs of consecutive days with one status. Each is one thick line, which the stylesheet cuts into days. */
function runsOf(days: readonly ShownDay[], status: Status | undefined): [from: number, length: number][] {
  const runs: [from: number, length: number][] = [];
  for (const [index, day] of days.entries()) {
    if (day.status !== status) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === index) last[1] += 1;
    else runs.push([index, 1]);
  }
  return runs;
}
