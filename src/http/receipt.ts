import { createHash } from 'node:crypto';
import { receiptOf } from '../ledger/receipt.ts';
import type { Availability } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import { noneMatches } from './conditional.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

const uuids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `/api/picks/:uuid/receipt`: no envelope around it, for what stood beside a receipt would be unproven. */
export function receiptRoute({
  database,
  availability,
}: {
  database: Database;
  availability: Availability;
}): Route {
  return {
    method: 'GET',
    path: '/api/picks/:uuid/receipt',
    async handle(ctx) {
      const uuid = String(ctx.params.uuid).toLowerCase();
      const receipt = uuids.test(uuid) ? await availability.run(() => receiptOf(database, uuid)) : undefined;
      if (receipt === undefined) throw problem(404, `There is no pick ${JSON.stringify(uuid)}.`);
      const text = JSON.stringify(receipt);
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      // Until it has settled it grows by an event now and then.
      const lifetime = receipt.settlement === null ? 10 : 300;
      ctx.set({
        ETag: etag,
        'Cache-Control': `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`,
      });
      if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
        ctx.status = 304;
        return;
      }
      ctx.body = text;
      ctx.set('Content-Type', 'application/json; charset=utf-8');
    },
  };
}
