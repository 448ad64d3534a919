import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { opsPage } from '../pages/ops/page.ts';
import type { Site } from '../pages/site.ts';
import { createStatusReader, type ReaderDeps } from '../status/reader.ts';
import type { StatusReport } from '../status/report.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import { sendPage } from './pages.ts';
import type { Route } from './routes.ts';

export interface StatusDeps extends ReaderDeps {
  site: Site;
}

/** Seconds that the answers may be kept (interface, section 4.5). */
const lifetime = 60;

/** However many ask, the stores are asked once within so many milliseconds. */
const holdMs = 1000;

/** `/api/status`, which answers 200 whatever it has to tell (decisions, section 3), and `/ops`, the same for people. */
export function statusRoutes(deps: StatusDeps): Route[] {
  const reader = createStatusReader(deps);
  let held: { report: StatusReport; until: number } | undefined;

  async function current(): Promise<StatusReport> {
    if (held === undefined || performance.now() >= held.until)
      held = { report: await reader.report(), until: performance.now() + holdMs };
    return held.report;
  }

  return [
    { method: 'GET', path: '/api/status', handle: async (ctx) => send(ctx, await current()) },
    {
      method: 'GET',
      path: '/ops',
      async handle(ctx) {
        const report = await current();
        await sendPage(ctx, opsPage(report, await reader.history(), deps.site), { lifetime });
      },
    },
  ];
}

async function send(ctx: Context, report: StatusReport): Promise<void> {
  const { generatedAt, ...data } = report;
  const etag = `W/"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 27)}"`;
  ctx.set({
    'Cache-Control': `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`,
    Vary: 'Accept-Encoding',
    ETag: etag,
  });
  if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = await compressed(Buffer.from(JSON.stringify({ generatedAt, ...data })), coding);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
}
