import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createCards } from '../../src/cards/cards.ts';
import type { PickCard } from '../../src/cards/pick-card.ts';
import { examplePick, settled } from '../boards/formats/example-picks.ts';
import type { Note } from './figures.ts';

const texts = {
  Latin: { pick: 'Rays -3', game: 'Tundra Owls @ Delta Rays' },
  Arabic: { pick: 'الهلال -1.5', game: 'النصر @ الهلال' },
  Japanese: { pick: '横浜F・マリノス 勝利', game: 'ガンバ大阪 @ 横浜F・マリノス' },
  emoji: { pick: '🔥🏀 Knicks -3.5 🐐', game: 'Celtics @ Knicks 🗽' },
  'at its longest': {
    pick: 'A selection that never ends. '.repeat(10).slice(0, 300),
    game: 'x '.repeat(100),
  },
};

/**
 * Share cards: the first one of a process, which loads the renderer and its fonts; later ones, each new; and how long they block the event
 * loop.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { rounds = 200, atOnce = 50 } = {},
): Promise<void> {
  const cards = createCards();
  const card = (id: number, words: { pick: string; game: string }): PickCard => ({
    pick: examplePick({ ...settled, ...words, id }),
    pickHash: '5f'.repeat(32),
    confidence: 71.3,
    edgePct: 1.25,
    notice: '21+ · Gambling problem? Call 1-800-GAMBLER',
    logKind: 'live',
  });
  let id = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const [script, words] of Object.entries(texts)) {
    const first = await timed(() => cards.png(card(++id, words)));
    const times: number[] = [];
    delay.enable();
    for (let round = 0; round < rounds; round += 1)
      times.push(await timed(() => cards.png(card(++id, words))));
    delay.disable();
    times.sort((a, b) => a - b);
    const [half, most] = [times[Math.floor(rounds / 2)], times[Math.floor(rounds * 0.95)]] as [
      number,
      number,
    ];
    const loop = (delay.percentile(99) / 1e6).toFixed(1);
    say(
      `${script.padEnd(16)} first ${first.toFixed(0)} ms, then median ${half.toFixed(1)} ms, 95 % ${most.toFixed(1)} ms; event loop 99 % ${loop} ms`,
    );
    delay.reset();
    note({ name: `a new card, ${script}, 95 %`, ours: most, unit: 'ms', aim: { atMost: 50 } });
  }
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, () => cards.png(card(++id, texts.Latin))));
  const perSecond = (atOnce * 1000) / (performance.now() - started);
  note({ name: `${atOnce} cards at once`, ours: perSecond, unit: 'cards/s', aim: { atLeast: 50 } });
  note({ name: 'resident memory of this process', ours: process.memoryUsage().rss / 2 ** 20, unit: 'MB' });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
