import type { MeasuredNode } from '@takumi-rs/core';

/** A text of a card's layout: its words in order, and its box on the card in pixels. */
export interface TextBox {
  words: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** How far the words extend beyond the box on either side. */
  beyond: number;
}

/** Returns all texts of a card's layout. */
export function textBoxes(node: MeasuredNode): TextBox[] {
  const [, , , , left, top] = node.transform;
  const own = node.runs.map((run) => Math.max(-run.x, run.x + run.width - node.width));
  const box: TextBox = {
    words: node.runs.map((run) => run.text).join(''),
    left,
    top,
    right: left + node.width,
    bottom: top + node.height,
    beyond: Math.max(0, ...own),
  };
  return [...(node.runs.length === 0 ? [] : [box]), ...node.children.flatMap(textBoxes)];
}

/** Returns texts that leave the card, overflow their boxes, or overlap. */
export function faults(found: readonly TextBox[], width: number, height: number): string[] {
  const off = found.filter(
    ({ left, top, right, bottom, beyond }) =>
      left < 0 || top < 0 || right > width || bottom > height || beyond > 1,
  );
  const over = found.filter((one, index) => found.slice(index + 1).some((other) => overlap(one, other)));
  return [...off.map(({ words }) => `outside: ${words}`), ...over.map(({ words }) => `overlaps: ${words}`)];
}

function overlap(one: TextBox, other: TextBox): boolean {
  return (
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 1 &&
    other.top < one.bottom - 1
  );
}
