import type { MeasuredNode, Node, Renderer } from '@takumi-rs/core';
import { type FontFile, fontFilesFor, readFont } from './fonts.ts';
import { cardHeight, cardWidth } from './paper.ts';
import { type Fit, selection, selectionBox } from './pick-card.ts';
import { lineHeightFor } from './writing.ts';

/** Draws cards. The work is done outside of JavaScript's thread. */
export interface Press {
  /** The largest size in which a selection's text fits its box. */
  fit(words: string): Promise<Fit>;
  /** A card as PNG. */
  png(card: Node): Promise<Buffer>;
  /** Where each run of a card's text comes to stand, line by line, as it is drawn. */
  layout(card: Node): Promise<MeasuredNode>;
}

/** For the site's mark, which every card has; a seal comes on one card only and would but fill the memory. */
const pictureBytes = 2 ** 20;

const frame = { width: cardWidth, height: cardHeight };

/** Sizes of the selection's letters in pixels, largest first. */
const sizes = [84, 72, 62, 54, 46, 40, 34];

/** The renderer is loaded with the first card, fonts as cards need them; they are kept (all of them: some 50 MB). */
export function createPress(): Press {
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
    async fit(words) {
      const renderer = await rendererFor(words);
      for (const size of sizes) if (await fits(renderer, words, size)) return { size, lines: 99 };
      const size = sizes.at(-1) as number;
      return { size, lines: Math.floor(selectionBox.height / (size * lineHeightFor(words))) };
    },
    async png(card) {
      const renderer = await rendererFor(wordsOf(card));
      return renderer.render(card, { ...frame, format: 'png' });
    },
    async layout(card) {
      const renderer = await rendererFor(wordsOf(card));
      return renderer.measure(card, frame);
    },
  };
}

/** Whether a selection's text fits its box in a size, no word broken. */
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
