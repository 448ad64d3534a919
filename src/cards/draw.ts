import type { MeasuredNode, Node, Renderer } from '@takumi-rs/core';
import { type FontFile, fontFilesFor, readFont } from './fonts.ts';
import { cardHeight, cardWidth } from './paper.ts';
import { type Fit, selection, selectionBox } from './pick-card.ts';
import { lineHeightFor } from './writing.ts';

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
