import { lifetimes } from '../../cache/lifetimes.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { demoHistoryPlayed } from '../../demo/progress.ts';
import { opsPage } from '../../pages/ops/page.ts';
import type { Site } from '../../pages/site.ts';
import { createStatusReader, type ReaderDeps } from '../../status/reader.ts';
import { type StatusReport, statusReport } from '../../status/report.ts';
import { type Answer, pageType } from '../answer.ts';
import type { Route } from '../routes.ts';

export interface StatusDeps extends ReaderDeps {
  site: Site;
}

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
        answer: { schema: statusReport },
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
