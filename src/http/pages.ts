import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { LedgerAway, type Reach } from '../cache/reach.ts';
import type { Database } from '../database.ts';
import { awayPage, missingRecordPage } from '../pages/missing.ts';
import { recordEntryPage } from '../pages/record-entry.ts';
import { recordExportPage } from '../pages/record-export.ts';
import { recordEntry } from '../record/record-entry.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import type { Route } from './routes.ts';

export interface PageDeps {
  database: Database;
  reach: Reach;
  baseUrl: string;
}

/** Pages load our stylesheet and our images, and run nothing. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The pages of the record. */
export function pageRoutes({ database, reach, baseUrl }: PageDeps): Route[] {
  const landing = recordExportPage(baseUrl);
  return [
    { method: 'GET', path: '/record/export', handle: (ctx) => sendPage(ctx, landing, { lifetime: 3600 }) },
    {
      method: 'GET',
      path: '/record/:id',
      async handle(ctx) {
        const id = /^[1-9]\d{0,14}$/.test(ctx.params.id) ? Number(ctx.params.id) : undefined;
        try {
          const entry =
            id === undefined ? undefined : await reach.use(() => recordEntry(database, id, baseUrl));
          if (entry === undefined) await sendPage(ctx, missingRecordPage(baseUrl), { status: 404 });
          else await sendPage(ctx, recordEntryPage(entry, baseUrl), { lifetime: 300 });
        } catch (error) {
          if (!(error instanceof LedgerAway)) throw error;
          ctx.set('Retry-After', '5');
          await sendPage(ctx, awayPage(baseUrl), { status: 503 });
        }
      },
    },
  ];
}

/**
 * Answers with a page.
 * @param options `lifetime` in seconds; without one nobody may keep it
 */
export async function sendPage(
  ctx: Context,
  text: string,
  { status = 200, lifetime }: { status?: number; lifetime?: number } = {},
): Promise<void> {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Vary', 'Accept-Encoding');
  ctx.status = status;
  if (lifetime === undefined) ctx.set('Cache-Control', 'no-store');
  else {
    ctx.set('Cache-Control', `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`);
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    ctx.set('ETag', etag);
    if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.status = 304;
      return;
    }
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = await compressed(Buffer.from(text), coding);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
}
