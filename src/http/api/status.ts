import { lifetimes } from '../../cache/lifetimes.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { demoHistoryPlayed } from '../../demo/progress.ts';
import { opsPage } from '../../pages/ops/page.ts';
import type { Site } from '../../pages/site.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { createStatusReader, type ReaderDeps } from '../../status/reader.ts';
import type { StatusReport } from '../../status/report.ts';
import { type Answer, pageType } from '../answer.ts';
import type { Route } from '../routes.ts';

export interface StatusDeps extends ReaderDeps {
  site: Site;
}

const instant = Type.String({ format: 'date-time' });
const status = Type.Enum(['ok', 'degraded', 'down'], { title: 'Health' });
const badStatus = Type.Enum(['degraded', 'down']);

const check = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    status,
    ageSeconds: Type.Optional(Type.Integer({ description: 'The measured age, if the check measures one.' })),
    value: Type.Optional(
      Type.Number({ description: 'The measured count or duration, if the check measures one.' }),
    ),
    threshold: Type.Object({
      degraded: Type.Number({ description: 'The check is degraded from this value.' }),
      down: Type.Number({ description: 'The check is down from this value.' }),
      unit: Type.String(),
    }),
    message: Type.String(),
    checkedAt: instant,
    cause: Type.Optional(Type.String({ description: 'The name of the check that caused this status.' })),
  },
  { title: 'Check' },
);

const incident = Type.Object(
  {
    id: Type.String(),
    check: Type.String({ description: 'The name of the check that opened it.' }),
    title: Type.String(),
    status: badStatus,
    worst: badStatus,
    message: Type.String(),
    affects: Type.Array(Type.String(), { description: 'Names of the other checks it affects.' }),
    openedAt: instant,
    closedAt: nullable(instant),
    durationSeconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'Incident' },
);

const source = Type.Object(
  {
    feed: Type.String(),
    title: Type.String({ description: 'The source of the feed.' }),
    ok: Type.Boolean(),
    message: Type.String({ description: 'The outcome of the last request.' }),
    askedAt: nullable(instant),
    nextAt: nullable(instant),
    leftOut: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of skipped rows in the last response, by reason.',
    }),
  },
  { title: 'Source', description: 'A feed of games, odds, or scores.' },
);

const notice = Type.Object(
  {
    id: Type.Integer(),
    at: instant,
    topic: Type.String(),
    text: Type.String(),
  },
  { title: 'Notice', description: "An operator's remark, or a correction that changed no settled pick." },
);

const count = Type.Integer({ minimum: 0 });

const body = Type.Object(
  {
    generatedAt: instant,
    status,
    checks: Type.Array(check),
    totals: Type.Union(
      [
        Type.Object({
          picks: { ...count, description: 'Picks posted, settled or not.' },
          settled: count,
          pending: count,
          cappers: count,
          subscriptions: count,
          deliveries24h: count,
        }),
        Type.Null(),
      ],
      { description: 'Null until they are counted.' },
    ),
    incidents: Type.Array(incident, { description: 'Open incidents first, then closed ones, newest first.' }),
    sources: Type.Array(source, { description: 'Feeds of all sources, failing ones first.' }),
    notices: Type.Array(notice),
  },
  { title: 'Status' },
);

/** How long requests share one report and its JSON, in ms. */
const sharedMs = 1000;

/** Serves `/api/status`, always with 200, and `/ops`, the same as a page. */
export function statusRoutes(deps: StatusDeps): Route[] {
  const reader = createStatusReader(deps);
  let shared: { report: StatusReport; answer: Answer; until: number } | undefined;

  async function current() {
    if (shared !== undefined && performance.now() < shared.until) return shared;
    const report = await reader.report();
    const { generatedAt, ...data } = report;
    const answer = {
      etag: weakEntityTag(JSON.stringify(data)),
      body: compressible(JSON.stringify({ generatedAt, ...data })),
    };
    shared = { report, answer, until: performance.now() + sharedMs };
    return shared;
  }

  /** Returns the loaded share of the demo data; 1 without a demo or if nothing can be read. */
  async function loadedShare(): Promise<number> {
    const { site, database, availability, clock } = deps;
    if (!site.demo) return 1;
    return availability.run(() => demoHistoryPlayed(database, clock.now()), 1000).catch(() => 1);
  }

  return [
    {
      method: 'GET',
      path: '/api/status',
      lifetime: lifetimes.live,
      reference: {
        id: 'getStatus',
        section: 'status',
        about: 'Every check, the overall status, totals, incidents, and notices. Always 200.',
        answer: { schema: body },
        examples: [{}],
      },
      handle: async () => (await current()).answer,
    },
    {
      method: 'GET',
      path: '/ops',
      page: true,
      lifetime: lifetimes.live,
      async handle() {
        const [{ report }, history, loaded] = await Promise.all([current(), reader.history(), loadedShare()]);
        const text = opsPage(report, history, deps.site, loaded);
        return { type: pageType, etag: weakEntityTag(text), body: compressible(text) };
      },
    },
  ];
}
