import { lifetimes } from '../../cache/lifetimes.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { opsPage } from '../../pages/ops/page.ts';
import type { Site } from '../../pages/site.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { createStatusReader, type ReaderDeps } from '../../status/reader.ts';
import type { StatusReport } from '../../status/report.ts';
import { pageType } from '../answer.ts';
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
    ageSeconds: Type.Optional(Type.Integer({ description: 'The figure, where it is an age.' })),
    value: Type.Optional(Type.Number({ description: 'The figure, where it is a count or a duration.' })),
    threshold: Type.Object({
      degraded: Type.Number({ description: 'From this figure on it is degraded.' }),
      down: Type.Number({ description: 'From this figure on it is down.' }),
      unit: Type.String(),
    }),
    message: Type.String(),
    checkedAt: instant,
    cause: Type.Optional(Type.String({ description: 'The name of the check that explains this one.' })),
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
    affects: Type.Array(Type.String(), { description: 'Names of the checks that it explains.' }),
    openedAt: instant,
    closedAt: nullable(instant),
    durationSeconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'Incident' },
);

const source = Type.Object(
  {
    feed: Type.String(),
    title: Type.String({ description: 'The source that it belongs to.' }),
    ok: Type.Boolean(),
    message: Type.String({ description: 'What came of the last request, or why it failed.' }),
    askedAt: nullable(instant),
    nextAt: nullable(instant),
    leftOut: Type.Record(Type.String(), Type.Integer(), {
      description: 'What the last answer had that was left out: counts by reason.',
    }),
  },
  { title: 'Source', description: 'A feed of games, prices or scores.' },
);

const notice = Type.Object(
  {
    id: Type.Integer(),
    at: instant,
    topic: Type.String(),
    text: Type.String(),
  },
  { title: 'Notice', description: "An operator's remark, or a correction that changed nothing." },
);

const count = Type.Integer({ minimum: 0 });

const report = Type.Object(
  {
    generatedAt: instant,
    status,
    checks: Type.Array(check),
    totals: Type.Union(
      [
        Type.Object({
          picks: count,
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
    incidents: Type.Array(incident, { description: 'Open ones first, then closed ones, the latest first.' }),
    sources: Type.Array(source, { description: 'Feeds of all sources, failing ones first.' }),
    notices: Type.Array(notice),
  },
  { title: 'Status' },
);

/** Milliseconds for which one reading of the stores serves all requests. */
const sharedMs = 1000;

/** `/api/status`, which is 200 whatever the status is, and `/ops`, the same for people. */
export function statusRoutes(deps: StatusDeps): Route[] {
  const reader = createStatusReader(deps);
  let shared: { report: StatusReport; until: number } | undefined;

  async function current(): Promise<StatusReport> {
    if (shared === undefined || performance.now() >= shared.until)
      shared = { report: await reader.report(), until: performance.now() + sharedMs };
    return shared.report;
  }

  return [
    {
      method: 'GET',
      path: '/api/status',
      lifetime: lifetimes.live,
      reference: {
        id: 'getStatus',
        section: 'status',
        about: 'Every freshness check, the overall status, totals, incidents and notices. Always 200.',
        answer: { schema: report },
        examples: [{}],
      },
      async handle() {
        const { generatedAt, ...data } = await current();
        return {
          etag: weakEntityTag(JSON.stringify(data)),
          body: compressible(JSON.stringify({ generatedAt, ...data })),
        };
      },
    },
    {
      method: 'GET',
      path: '/ops',
      lifetime: lifetimes.live,
      async handle() {
        const text = opsPage(await current(), await reader.history(), deps.site);
        return { type: pageType, etag: weakEntityTag(text), body: compressible(text) };
      },
    },
  ];
}
