import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hourly } from '../../src/http/api/webhooks/service.ts';
import { jobs } from '../../src/jobs/index.ts';
import { managedPage } from '../../src/pages/webhooks/manage.ts';
import { defaultLimit, rowCap } from '../../src/record/export-filter.ts';
import { consensusCappers, consensusWindowMs } from '../../src/rules/consensus.ts';
import { waitMs } from '../../src/sources/waiting-imports.ts';
import { historyDays } from '../../src/status/history.ts';
import { shownMs } from '../../src/status/incidents.ts';
import { declarations } from '../../src/status/index.ts';
import { defaults } from '../../src/webhooks/client/client.ts';
import { cycleMs } from '../../src/webhooks/delivery/cycle.ts';
import { maxFailures, maxRetryAfterMs } from '../../src/webhooks/delivery/failure-policy.ts';
import { maxEvents } from '../../src/webhooks/delivery/lease.ts';
import { maxOverlapSeconds } from '../../src/webhooks/subscriptions/manage.ts';
import { retention } from '../../src/webhooks/subscriptions/retention.ts';
import { makeSecret } from '../../src/webhooks/subscriptions/secrets.ts';
import { maxPerClient } from '../../src/webhooks/subscriptions/subscribe.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { procfile } from '../support/procfile.ts';
import { withRedis } from '../support/redis.ts';

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ordinals: Record<number, string> = { 4: 'fourth', 5: 'fifth', 6: 'sixth' };
/** Names a period: `a minute`, `30 days`. */
function period(ms: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 };
  const [name, unit] = Object.entries(units).find(
    ([, of]) => ms % of === 0 && (ms / of < 100 || of === 1000),
  )!;
  return ms === unit ? `${name === 'hour' ? 'an' : 'a'} ${name}` : `${ms / unit} ${name}s`;
}
const hours = (ms: number) => `${ms / 3_600_000} hours`;

/** Every limit and period that a page states, with the value of the code that keeps it. */
const stated: Record<string, string[]> = {
  '/webhooks': [
    `${words[hourly.times]} new subscriptions ${period(hourly.inMs)}, and ${maxPerClient} that are active`,
    `A cycle begins with each ${period(cycleMs).slice(2)} of the service’s clock. In each cycle a subscription receives up to ${maxEvents} events`,
    `${defaults.connectMs / 1000} seconds to accept a connection and ${period(defaults.totalMs)} in all`,
    `at most ${defaults.bodyBytes / 1024} KiB of the answer`,
    `postpones the next attempt by at most ${period(maxRetryAfterMs)}.`,
    `The ${ordinals[maxFailures]} failure in a row disables the subscription`,
    `(${maxOverlapSeconds.toLocaleString('en-US')} unless the request says less)`,
  ],
  '/sharp': [
    `posted within the last ${hours(consensusWindowMs)}`,
    `${words[consensusCappers]![0]!.toUpperCase()}${words[consensusCappers]!.slice(1)} or more elite or verified sharp cappers on the same side`,
  ],
  '/ops': [`With the last ${historyDays} days of each`, `Last ${period(shownMs)}`],
  '/record/export': [
    `limit${defaultLimit}at most this many, 1 to ${rowCap}`,
    `limit=${defaultLimit}`,
    'Poll at most once a minute',
  ],
  '/webhooks/manage': [`${makeSecret().length} characters, 0 to 9 and a to f`],
};

/** Statements of the page of a subscription. */
const ofSubscription = [
  `Each action is limited to ${words[hourly.times]} times ${period(hourly.inMs)}`,
  `Kept for ${period(retention.attempt.forMs)}`,
  `instead of after ${hours(maxOverlapSeconds * 1000)}`,
];

/** The work of each process according to docs/operations.md, and jobs that do it. */
const works: Record<string, [work: string, jobs: readonly string[]]> = {
  web: ['the public site and API', []],
  operator: ["the operator's port: posting, Bull Board, metrics", []],
  ingest: ['polls providers and schedules', ['ask-odds-api', 'ask-espn', 'fetch-schedules']],
  grading: ['closes and settles picks', ['close-game', 'grade-due']],
  sealing: [
    'numbers, hashes, and publishes events; writes data files',
    ['seal', 'publish-checkpoint', 'write-data-files'],
  ],
  boards: ['follows the log and renders boards ahead of readers', ['follow-log', 'render-ahead']],
  webhooks: ['delivers events', ['deliver-healthy', 'deliver-slow', 'deliver-chat', 'deliver-push']],
  status: ['checks, incidents, alerts', ['look-around']],
};

const documentOf = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const textOf = (page: string) =>
  page
    .replaceAll(/<(script|style|head|footer)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

/** Finds claims of a limit or a period in a text. */
const claim =
  /\b(?:\d+ (?:KiB|KB|MB)|(?:up to|at most|within|for|after|limited to|once) (?:an? (?:minute|hour|day)|\d+ (?:seconds|minutes|hours|days)|\d+ per \w+|\w+ (?:times )?an? (?:minute|hour|day)))\b/g;

describe('limits and periods that pages state', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  before(async () => {
    site = await startApi({ database, redis });
  });
  after(() => site?.close());

  for (const [path, sentences] of Object.entries(stated))
    it(`are those of the code on ${path}`, async () => {
      const response = await fetch(site.address + path, { headers: { Accept: 'text/html' } });
      const text = textOf(await response.text());
      for (const sentence of sentences) expect(text).to.include(sentence);
      if (path === '/sharp') return;
      const rest = sentences.reduce((left, sentence) => left.replaceAll(sentence, ''), text);
      expect(rest.match(claim) ?? [], 'claims that no code is compared with').to.deep.equal([]);
    });

  it('are those of the code in the README', () => {
    const text = documentOf('README.md');
    expect(text).to.include(`public after ${period(waitMs)}; until then \`--drop\` withdraws them`);
    expect(text.match(claim) ?? []).to.deep.equal([`after ${period(waitMs)}`]);
  });

  it('are those of the code on the page of a subscription', () => {
    const instants = { paused_at: null, disabled_at: null, last_delivery_at: null, last_status: null };
    const subscription = {
      id: 7,
      status: 'active',
      target_host: 'mail.net',
      target_url: 'https://mail.net/',
      owner_email: 'owner@mail.net',
      capper_handle: null,
      sport: null,
      next_seq: 1,
      consecutive_failures: 0,
      created_at: '2026-01-10T12:00:00Z',
      ...instants,
    } as unknown as Parameters<typeof managedPage>[0]['subscription'];
    const { site } = testConfig();
    const view = { subscription, secret: makeSecret(), rotated: false, attempts: [] };
    const text = textOf(managedPage(view, { ...site, demo: false }));
    for (const sentence of ofSubscription) expect(text).to.include(sentence);
    const rest = ofSubscription.reduce((left, sentence) => left.replaceAll(sentence, ''), text);
    expect(rest.match(claim) ?? []).to.deep.equal([]);
  });

  it('name as limited exactly the requests that may be answered with 429', async () => {
    const page = textOf(await (await fetch(`${site.address}/docs`)).text());
    expect(page).to.include('Boards, pages, and exports are not rate-limited.');
    expect(page).to.include('Live streams and all POST requests are limited.');
    const { paths } = (await (await fetch(`${site.address}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: object }>>;
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        if (method !== 'get' && method !== 'post') continue;
        const isLimited = method === 'post' || path === '/api/stream';
        expect('429' in responses, `${method} ${path}`).to.equal(isLimited);
      }
  });

  it('are those of the code in docs/operations.md', () => {
    const text = documentOf('docs/operations.md');
    expect(text).to.include(`**Delivery attempts** are kept for ${period(retention.attempt.forMs)}`);
  });
});

describe('what documents and pages say that a process does', () => {
  it('is the work of its jobs', () => {
    const rows = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8').matchAll(
      /^\| `(\w+)` \| (.+?) \| (?:any number|one\b.*?) \|$/gm,
    );
    expect(Object.fromEntries([...rows].map(([, name, work]) => [name, work]))).to.deep.equal(
      Object.fromEntries(Object.entries(works).map(([name, [work]]) => [name, work])),
    );
    expect(Object.keys(works)).to.have.members(Object.keys(procfile()));
    for (const [name, [, names]] of Object.entries(works))
      expect(jobs.filter(({ queue }) => queue.startsWith(name)).map((job) => job.name)).to.include.members(
        names,
      );
  });

  it('is right where a runbook says which process to look at or to restart', () => {
    const processes = Object.keys(procfile());
    for (const { name, runbook, ...check } of declarations) {
      const { lookAt, first } = runbook;
      const named = [
        ...lookAt.matchAll(/[Tt]he log of `(\w+)`/g),
        ...first.matchAll(/(?:Restart the|Start more) (\w+) workers?/g),
      ].map(([, process]) => process!);
      expect(processes, name).to.include.members(named);
      if (!('subjects' in check)) continue;
      const { subjects } = check as unknown as { subjects: readonly { dependsOn: readonly string[] }[] };
      const workers = subjects
        .flatMap(({ dependsOn }) => dependsOn)
        .filter((one) => one.startsWith('workers-'));
      // A check that depends on one worker sends operators to no other.
      if (workers.length === 1 && named.length > 0)
        expect(new Set(named), name).to.deep.equal(new Set([workers[0]!.slice('workers-'.length)]));
    }
  });
});
