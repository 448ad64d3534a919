import type { BoardCache } from '../boards/board-cache.ts';
import { pickConfidence } from '../boards/picks/confidence.ts';
import { pickBoard } from '../boards/picks/pick.ts';
import { podBoard } from '../boards/picks/pod.ts';
import { type Card, createCards } from '../cards/cards.ts';
import type { Site } from '../pages/site.ts';
import { lifetimes } from '../platform/lifetimes.ts';
import { Overloaded } from '../platform/limiter.ts';
import { patterns } from '../rules/vocabulary.ts';
import type { Answer } from './answer.ts';
import { problem } from './problem.ts';
import type { Route } from './routes.ts';

const uuids = new RegExp(patterns.uuid);

/** The images that links to a pick and to the Pick of the Day unfold into. They show what the boards say. */
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

  function answer(card: Card): Answer {
    return {
      type: 'image/png',
      etag: `"${cards.version(card)}"`,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
      body: () =>
        cards.png(card).catch((error: unknown) => {
          if (!(error instanceof Overloaded)) throw error;
          throw problem(503, 'Too many cards are being drawn at the moment.', {
            headers: { 'Retry-After': '1' },
          });
        }),
    };
  }

  return [
    {
      method: 'GET',
      path: '/p/:uuid/card.png',
      lifetime: lifetimes.board,
      async handle({ params }) {
        const uuid = String(params.uuid).toLowerCase();
        if (!uuids.test(uuid)) throw problem(404, `There is no pick ${JSON.stringify(uuid)}.`);
        return answer(await pickCard(uuid));
      },
    },
    {
      method: 'GET',
      path: '/pod/card.png',
      lifetime: lifetimes.board,
      handle: async () => answer(await podCard()),
    },
  ];
}
