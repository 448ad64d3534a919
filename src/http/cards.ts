import type { Context } from 'koa';
import type { BoardCache } from '../boards/board-cache.ts';
import { pickConfidence } from '../boards/picks/confidence.ts';
import { pickBoard } from '../boards/picks/pick.ts';
import { podBoard } from '../boards/picks/pod.ts';
import { type Card, createCards } from '../cards/cards.ts';
import { Busy } from '../cards/turns.ts';
import type { Site } from '../pages/site.ts';
import { patterns } from '../rules/vocabulary.ts';
import { noneMatches } from './conditional.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

const uuids = new RegExp(patterns.uuid);

/** Seconds for which a card may be kept: it changes as its pick closes and settles. */
const lifetime = 300;

/** The pictures that links to a pick and to the Pick of the Day unfold into. They show what the boards say. */
export function cardRoutes({ cache, site }: { cache: BoardCache; site: Site }): Route[] {
  const cards = createCards();
  const everyCard = { notice: `21+ · Gambling problem? Call ${site.helpLine.name}`, demo: site.demo };

  async function pickCard(uuid: string): Promise<Card> {
    const [{ pickHash, ...pick }, { index }] = await Promise.all([
      cache.body(pickBoard, { uuid }),
      cache.body(pickConfidence, { uuid }),
    ]);
    return { pick, pickHash, confidence: index, ...everyCard };
  }

  async function podCard(): Promise<Card> {
    const { day, pick } = await cache.body(podBoard, {});
    return pick === null ? { day, ...everyCard } : { ...(await pickCard(pick.pickUuid)), podDay: day };
  }

  async function send(ctx: Context, card: Card): Promise<void> {
    const etag = `"${cards.version(card)}"`;
    ctx.set({
      ETag: etag,
      'Cache-Control': `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.status = 304;
      return;
    }
    const png = await cards.png(card).catch((error: unknown) => {
      if (!(error instanceof Busy)) throw error;
      throw problem(503, 'Too many cards are being drawn at the moment.', {
        headers: { 'Retry-After': '1' },
      });
    });
    ctx.body = png;
    ctx.set('Content-Type', 'image/png');
  }

  return [
    {
      method: 'GET',
      path: '/p/:uuid/card.png',
      async handle(ctx) {
        const uuid = String(ctx.params.uuid).toLowerCase();
        if (!uuids.test(uuid)) throw problem(404, `There is no pick ${JSON.stringify(uuid)}.`);
        await send(ctx, await pickCard(uuid));
      },
    },
    {
      method: 'GET',
      path: '/pod/card.png',
      handle: async (ctx) => send(ctx, await podCard()),
    },
  ];
}
