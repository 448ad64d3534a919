import { type BoardContext, NotFound, type Output, type Renderable } from '../../src/boards/endpoint.ts';
import { createGate } from './gate.ts';

/** A renderable that counts how often it is rendered. */
export interface Counting {
  renderable: Renderable;
  /** The same renderable under another key. */
  other: Renderable;
  rendered(): number;
  /** Sets the next answers. The text `missing` does not exist; `unkept` may not be cached. */
  set(text: string): void;
  /** Makes renderings wait. @returns a function that releases them */
  hold(): () => void;
}

export interface CountingOptions {
  key?: string;
  tags?: string[];
  lifetime?: number;
  text?: string;
  /** Makes it read the database, as boards do. */
  reads?: boolean;
}

export function countingRenderable(options: CountingOptions = {}): Counting {
  const { key = '/counted', tags = ['a', 'b'], lifetime = 300, reads = false } = options;
  let { text = 'first' } = options;
  let rendered = 0;
  const gate = createGate();
  const renderable = {
    key,
    tags,
    lifetime,
    contentType: 'text/plain; charset=utf-8',
    async render({ database }: BoardContext): Promise<Output> {
      rendered += 1;
      if (reads) await database.raw('select 1');
      await gate.passed();
      if (text === 'missing') throw new NotFound('There is no such text.');
      return { text, mayKeep: text !== 'unkept' };
    },
  };
  return {
    renderable,
    other: { ...renderable, key: `${key}/other` },
    rendered: () => rendered,
    set(next) {
      text = next;
    },
    hold: gate.hold,
  };
}
