import { renderedAt } from '../../answers/store.ts';
import type { Board } from '../../boards/board.ts';
import { boards } from '../../boards/index.ts';
import { lazy } from '../../platform/once.ts';
import { ageCheck, aged, type Check, type Finding, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const dependsOn = ['redis', 'database', 'workers-boards'];

const targets = boards.flatMap(aheadOf);

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
          const held = unchangedFor({ ...context, name }, 'missing');
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

/** The answers are lazy, so that a start need not validate parameters. */
function aheadOf(board: Board) {
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

/** Detects boards that look fresh but were rendered before the newest entries. */
export const boardsLagCheck = ageCheck({
  name: 'boards-lag',
  title: 'Board lag',
  about: 'How long sealed entries have not reached the boards.',
  thresholds: { degraded: 120, down: 900 },
  runbook: {
    means: 'The boards worker is behind the log.',
    readers: 'Boards are missing new picks and results.',
    lookAt: 'The log of `boards`, and `pg_stat_activity` for its queries.',
    first: 'Restart the boards worker. During an import, wait: it catches up automatically.',
  },
  dependsOn: ['database', 'workers-boards'],
  async measure(context) {
    const { rows }: { rows: { size: number; next: number }[] } = await context.database.raw(
      `select coalesce((select max(seq) + 1 from ledger_entries), 0)::int as size,
         coalesce((select next_seq from reader_cursors where reader = 'boards'), 0)::int as next`,
    );
    const { size, next } = rows[0]!;
    if (next >= size) return { seconds: 0, value: 0, message: 'Boards include the whole log.' };
    const held = unchangedFor(context, String(next));
    return {
      ...held,
      value: size - next,
      message: `${counted(size - next, 'entry', 'entries')} not on the boards yet, the oldest for ${span(held.seconds)}.`,
    };
  },
});
