import { createHash } from 'node:crypto';
import type { Node } from '@takumi-rs/core';
import { selectionText } from '../boards/formats/pick-text.ts';
import type { InTurn } from '../cache/cache.ts';
import { copied } from '../cache/representation.ts';
import { createLimiter } from '../platform/limiter.ts';
import { singleFlight } from '../platform/once.ts';
import { createPress, type Press } from './draw.ts';
import { type EmptyPodCard, emptyPodCard } from './empty-pod-card.ts';
import { type LeadersCard, leadersCard } from './leaders-card.ts';
import { type PickCard, pickCard } from './pick-card.ts';
import { type RecordCard, recordCard } from './record-card.ts';

/** The subject of a card: a pick, a capper, the leaderboard, or that a day has no Pick of the Day yet. */
export type Card = PickCard | RecordCard | LeadersCard | EmptyPodCard;

export interface Cards {
  /** Names everything that a card shows and how: as long as it is the same, so is the picture. */
  version(card: Card): string;
  /**
   * Draws a card as PNG. Concurrent calls for one version share the work.
   * @param inTurn runs the drawing; default: at once
   * @throws Overloaded when too many cards wait to be drawn
   */
  png(card: Card, inTurn?: InTurn): Promise<Buffer>;
}

/** Cards drawn at once. One takes some 15 ms of a thread that Node needs for other work too. */
const concurrency = 2;
/** Cards that wait to be drawn: the last one gets its turn within a second or so. */
const maxWaiting = 60;

/** Cards are not put into Redis: drawing one costs about as much as fetching it would. */
export function createCards(press: Press = createPress()): Cards {
  const once = singleFlight<Buffer>();
  const limiter = createLimiter(concurrency);

  async function draw(card: Card): Promise<Buffer> {
    return press.png(
      'pick' in card ? pickCard(card, await press.fit(selectionText(card.pick))) : planOf(card),
    );
  }

  return {
    version: versionOf,
    async png(card, inTurn = (work) => work()) {
      // The renderer's block may be larger than the picture.
      return once(versionOf(card), () =>
        inTurn(async () => copied(await limiter.run(() => draw(card), maxWaiting))),
      );
    },
  };
}

/** The drawing's plan of a card whose texts have fixed sizes. */
function planOf(card: Exclude<Card, PickCard>): Node {
  if ('leaders' in card) return leadersCard(card);
  return 'record' in card ? recordCard(card) : emptyPodCard(card);
}

/** Over the drawing's plan, so that a change of the design is a change of the version too. */
function versionOf(card: Card): string {
  const plan = 'pick' in card ? pickCard(card, { size: 0, lines: 0 }) : planOf(card);
  return createHash('sha256').update(JSON.stringify(plan)).digest('base64url').slice(0, 27);
}
