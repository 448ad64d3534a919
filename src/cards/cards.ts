import { createHash } from 'node:crypto';
import type { Node } from '@takumi-rs/core';
import { copied } from '../answers/coded.ts';
import { selectionText } from '../boards/formats/pick-text.ts';
import { createLimiter } from '../platform/limiter.ts';
import { singleFlight } from '../platform/once.ts';
import { createPress, type Press } from './draw.ts';
import { type EmptyPodCard, emptyPodCard } from './empty-pod-card.ts';
import { type LeadersCard, leadersCard } from './leaders-card.ts';
import { type PickCard, pickCard } from './pick-card.ts';
import { type RecordCard, recordCard } from './record-card.ts';

export type Card = PickCard | RecordCard | LeadersCard | EmptyPodCard;

/** Concurrent drawings. Each takes about 15 ms of a thread that Node also needs for other work. */
const concurrency = 2;
/** Maximum number of waiting cards: the last one waits about a second. */
const maxWaiting = 60;

/** Creates the renderer of cards. Cards are not stored in Redis, because drawing one costs about as much as fetching it. */
export function createCards(press: Press = createPress()) {
  const once = singleFlight<Buffer>();
  const limiter = createLimiter(concurrency);

  async function draw(card: Card): Promise<Buffer> {
    return press.png(
      'pick' in card ? pickCard(card, await press.fit(selectionText(card.pick))) : planOf(card),
    );
  }

  return {
    /** Returns the version of a card's contents and design. Equal versions have equal pictures. */
    version: versionOf,
    /**
     * Draws a card as PNG. Concurrent calls for one version share the work.
     * @param inTurn runs the drawing; default: at once
     * @throws Overloaded if too many cards are waiting
     */
    png(
      card: Card,
      inTurn: (work: () => Promise<Buffer>) => Promise<Buffer> = (work) => work(),
    ): Promise<Buffer> {
      // The renderer's block may be larger than the picture.
      return once(versionOf(card), () =>
        inTurn(async () => copied(await limiter.run(() => draw(card), maxWaiting))),
      );
    },
  };
}

function planOf(card: Exclude<Card, PickCard>): Node {
  if ('leaders' in card) return leadersCard(card);
  return 'record' in card ? recordCard(card) : emptyPodCard(card);
}

/** Returns a hash of the layout, so that a change of the design is a new version too. */
function versionOf(card: Card): string {
  const plan = 'pick' in card ? pickCard(card, { size: 0, lines: 0 }) : planOf(card);
  return createHash('sha256').update(JSON.stringify(plan)).digest('base64url').slice(0, 27);
}
