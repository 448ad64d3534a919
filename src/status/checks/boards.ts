import type { Board } from '../../boards/board.ts';
import { boards } from '../../boards/index.ts';
import { renderedAt } from '../../cache/store.ts';
import { lazy } from '../../platform/once.ts';
import { aged, type Check, type Finding, type Subject, unchangedFor } from '../check.ts';
import { span } from '../span.ts';

const dependsOn = ['redis', 'database', 'workers-boards'];

interface Ahead extends Omit<Subject, 'dependsOn'> {
  /** Returns its Redis key and its lifetime in seconds. Lazy, so that a start need not validate parameters. */
  answer(): { key: string; lifetime: number };
}

const targets = boards.flatMap(aheadOf);

/** Checks the age in Redis of every board that is rendered in advance. */
export const boardsCheck: Check = {
  name: 'boards',
  subjects: targets.map(({ name, title }) => ({ name, title, dependsOn })),
  about: 'How long a board that is rendered in advance has outlived its lifetime.',
  thresholds: { degraded: 120, down: 900 },
  unit: 'seconds',
  runbook: {
    means: 'A board that is rendered in advance is out of date.',
    readers: 'A board may be slow or a little out of date.',
    lookAt: 'The log of `boards`, which names the board and the error.',
    first: 'Restart the boards worker.',
  },
  async measure(context, thresholds) {
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
          const message = `Missing for ${span(held.seconds)}: nothing has rendered it.`;
          return [name, aged({ ...held, message }, thresholds)];
        }
        const age = Math.max(0, (context.now - at) / 1000);
        const finding = aged({ seconds: age - lifetime, message: '' }, thresholds);
        const message = `Rendered ${span(age)} ago; its lifetime is ${span(lifetime)}.`;
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
