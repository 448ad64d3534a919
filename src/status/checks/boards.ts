import type { Board } from '../../boards/board.ts';
import { boards } from '../../boards/index.ts';
import { renderedAt } from '../../cache/store.ts';
import { lazy } from '../../platform/lazy.ts';
import { aged, type Check, type Finding, type Subject, unchangedFor } from '../check.ts';
import { span } from '../span.ts';

const restsOn = ['redis', 'database', 'workers-boards'];

interface Ahead extends Omit<Subject, 'restsOn'> {
  /** Its key in Redis, and its lifetime in seconds: known once its parameters are read, which a start need not do. */
  answer(): { key: string; lifetime: number };
}

const targets = boards.flatMap(aheadOf);

/** Every board that is computed ahead: how far its copy in Redis is beyond its lifetime. */
export const boardsCheck: Check = {
  name: 'boards',
  subjects: targets.map(({ name, title }) => ({ name, title, restsOn })),
  about: 'How far a board that is computed ahead is beyond its lifetime.',
  thresholds: { degraded: 120, down: 900 },
  unit: 'seconds',
  async look(context, thresholds) {
    const ages = await renderedAt(
      context.cacheRedis,
      targets.map(({ answer }) => answer().key),
    );
    return new Map(
      targets.map(({ name, answer }, index): [string, Finding] => {
        const { lifetime } = answer();
        const at = ages[index];
        if (at === undefined) {
          const held = unchangedFor(context, name, 'missing');
          const message = `It has been missing for ${span(held.seconds)}: it is not computed ahead.`;
          return [name, aged({ ...held, message }, thresholds)];
        }
        const age = Math.max(0, (context.now - at) / 1000);
        const finding = aged({ seconds: age - lifetime, message: '' }, thresholds);
        const message = `It was computed ${span(age)} ago and is good for ${span(lifetime)}.`;
        return [name, { ...finding, ageSeconds: Math.floor(age), message }];
      }),
    );
  },
};

function aheadOf(board: Board): Ahead[] {
  return board.ahead.map((given) => {
    const query = new URLSearchParams(given).toString();
    const path = query === '' ? board.path : `${board.path}?${query}`;
    return {
      name: `board:${path}`,
      title: `Board ${path}`,
      answer: lazy(() => board.renderable(given, undefined)),
    };
  });
}
