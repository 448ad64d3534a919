import { Command } from 'commander';
import { notice } from '../intake/notice.ts';
import { iso } from '../platform/clock.ts';
import { inSession, validated } from './session.ts';
import type { ConfigOf, Say } from './verb.ts';

const listLimit = 50;

/** Each remark is a log entry, so it cannot be removed. */
export function noticesVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('notices').description("adds and lists the operator's remarks in the log");
  verb
    .command('add')
    .description('adds a remark to the log; it cannot be removed')
    .argument('<text>', 'a sentence for readers, at most 1000 characters')
    .action(async (remark: string) => {
      const row = validated(notice.check({ text: remark.trim() }));
      await inSession(config('operator'), async ({ transaction, now, afterCommit }) => {
        await notice.apply(transaction, [row], { now, imported: false });
        afterCommit(...notice.wakes);
      });
      say('Added. The sealing worker writes it to the log.');
    });
  verb
    .command('list')
    .description(`lists the latest ${listLimit} notices`)
    .action(async () => {
      const rows = await inSession(
        config('operator'),
        ({ transaction }): Promise<{ at: number; topic: string; text: string }[]> =>
          transaction('notices').orderBy('id', 'desc').limit(listLimit).select('at', 'topic', 'text'),
      );
      say(
        rows.length === 0
          ? 'No notices.'
          : rows.map(({ at, topic, text }) => `${iso(at)} ${topic}: ${text}`).join('\n'),
      );
    });
  return verb;
}
