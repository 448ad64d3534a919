import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';

/** Returns Bull Board over all queues. It is read-only: workers find their work in PostgreSQL, so no job needs a manual retry. @param miscLinks of its menu */
export function queueBoard(
  path: string,
  { queues }: Enqueue,
  miscLinks: { text: string; url: string }[],
): Middleware {
  const adapter = new KoaAdapter().setBasePath(path);
  createBullBoard({
    queues: [...queues.values()].map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: {
      uiBasePath: dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')),
      uiConfig: { boardTitle: 'Queues', miscLinks },
    },
  });
  return adapter.registerPlugin();
}
