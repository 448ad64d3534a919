import { createHash } from 'node:crypto';
import type { MeasuredNode, Node, Renderer } from '@takumi-rs/core';
import { copied } from '../answers/coded.ts';
import { selectionText } from '../boards/formats/pick-text.ts';
import { singleFlight } from '../platform/once.ts';
import { type FontFile, fontFilesFor, readFont } from './fonts.ts';
import { type LeadersCard, leadersCard } from './leaders-card.ts';
import { cardHeight, cardWidth, colors, column, type Imprint, sheet, text } from './paper.ts';
import { type Fit, type PickCard, pickCard, podDayText, selection, selectionBox } from './pick-card.ts';
import { type RecordCard, recordCard } from './record-card.ts';
import { lineHeightFor } from './writing.ts';

export type Card = PickCard | RecordCard | LeadersCard | EmptyPodCard;

/** Creates the renderer of cards. Cards are not stored in Redis, because drawing one costs about as much as fetching it. */
export function createCards(press: Press = createPress()) {
  const once = singleFlight<Buffer>();

  async function draw(card: Card): Promise<Buffer> {
    return press.png(
      'pick' in card ? pickCard(card, await press.fit(selectionText(card.pick))) : planOf(card),
    );
  }

  return {
    /** Equal versions have equal pictures. */
    version: versionOf,
    /**
     * Concurrent calls for one version share the work.
     * @param inTurn waits for a turn: drawing takes about 15 ms of a thread that Node also needs for other work. Default: at once
     */
    png(
      card: Card,
      inTurn: (work: () => Promise<Buffer>) => Promise<Buffer> = (work) => work(),
    ): Promise<Buffer> {
      // The renderer's block may be larger than the picture.
      return once(versionOf(card), () => inTurn(async () => copied(await draw(card))));
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

export interface EmptyPodCard extends Imprint {
  /** The ET day, as `2026-01-15`. */
  day: string;
}

export function emptyPodCard({ day, notice, logKind }: EmptyPodCard): Node {
  return sheet({
    kind: `Pick of the Day · ${podDayText(day)}`,
    proof: 'One pick a day, by Confidence Index',
    notice,
    logKind,
    body: [
      column(
        { flexGrow: 1, justifyContent: 'center', gap: 18 },
        text('No Pick of the Day yet', { size: 76, serif: true, weight: 600 }),
        text('It is chosen at 9 AM ET, or when the first eligible pick is posted after that.', {
          size: 31,
          color: colors.quiet,
          lines: 2,
        }),
      ),
    ],
  });
}

/** Draws cards, outside of JavaScript's thread. */
export type Press = ReturnType<typeof createPress>;

/** Size of the picture cache, in bytes: for the site's logo, which is on every card. A seal is on only one card. */
const pictureBytes = 2 ** 20;

const frame = { width: cardWidth, height: cardHeight };

/** Letter sizes of the selection in pixels, largest first. */
const sizes = [84, 72, 62, 54, 46, 40, 34];

/** Loads the renderer with the first card, and fonts as cards need them. Fonts stay in memory (about 50 MB for all). */
export function createPress() {
  let loading: Promise<Renderer> | undefined;
  const registered = new Map<string, Promise<unknown>>();

  async function rendererFor(words: string): Promise<Renderer> {
    loading ??= import('@takumi-rs/core').then(
      (library) => new library.Renderer({ cacheMaxBytes: pictureBytes }),
    );
    const renderer = await loading;
    await Promise.all(fontFilesFor(words).map((file) => register(renderer, file)));
    return renderer;
  }

  function register(renderer: Renderer, file: FontFile): Promise<unknown> {
    const known = registered.get(file.path);
    if (known !== undefined) return known;
    const started = readFont(file).then((font) => renderer.registerFont(font));
    registered.set(file.path, started);
    started.catch(() => registered.delete(file.path));
    return started;
  }

  return {
    async fit(words: string): Promise<Fit> {
      const renderer = await rendererFor(words);
      for (const size of sizes) if (await fits(renderer, words, size)) return { size, lines: 99 };
      const size = sizes.at(-1) as number;
      return { size, lines: Math.floor(selectionBox.height / (size * lineHeightFor(words))) };
    },
    async png(card: Node): Promise<Buffer> {
      const renderer = await rendererFor(wordsOf(card));
      return renderer.render(card, { ...frame, format: 'png' });
    },
    /** Returns the position of each text run of a card, line by line. */
    async layout(card: Node): Promise<MeasuredNode> {
      const renderer = await rendererFor(wordsOf(card));
      return renderer.measure(card, frame);
    },
  };
}

/** Reports whether a selection's text fits its box at a size without breaking words. */
async function fits(renderer: Renderer, words: string, size: number): Promise<boolean> {
  const node = selection(words, { size, lines: 99 });
  const unbroken: Node = { ...node, style: { ...node.style, overflowWrap: 'normal' } };
  const { height, runs } = await renderer.measure(unbroken, frame);
  const right = selectionBox.width + 1;
  return height <= selectionBox.height && runs.every(({ x, width }) => x >= -1 && x + width <= right);
}

function wordsOf(node: Node): string {
  if (node.type === 'text') return node.text;
  return node.type === 'container' ? (node.children ?? []).map(wordsOf).join('\n') : '';
}
