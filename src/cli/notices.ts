import { Command } from 'commander';
import { Type } from 'typebox';
import type { Job } from '../jobs/job.ts';
import { seal } from '../jobs/sealing.ts';
import { recordNotices } from '../ledger/notices.ts';
import { iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { plainText } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { given, inSession } from './session.ts';
import type { Say } from './verb.ts';

const checkNotice = checker(Type.Object({ text: plainText(1, 1000) }));

/** Notices that are listed, the latest first. */
const listed = 50;

/** `notices`: an operator's remark becomes an entry of the log that nobody can take back. */
export function noticesVerb(config: () => Config, say: Say): Command {
  const verb = new Command('notices').description("the operator's remarks in the log");
  verb
    .command('add')
    .description('adds a remark to the log, for ever')
    .argument('<text>', 'a sentence for readers, at most 1000 characters')
    .action(async (given_: string) => {
      const { text } = given(checkNotice({ text: given_.trim() }));
      await inSession(config(), async ({ transaction, now, afterwards }) => {
        await recordNotices(transaction, 'remark', [text], now);
        afterwards(seal as Job);
      });
      say('Added. It is sealed into the log within moments, where a sealing worker runs.');
    });
  verb
    .command('list')
    .description(`lists the latest ${listed} notices`)
    .action(async () => {
      const rows = await inSession(
        config(),
        ({ transaction }): Promise<{ at: number; topic: string; text: string }[]> =>
          transaction('notices').orderBy('id', 'desc').limit(listed).select('at', 'topic', 'text'),
      );
      say(
        rows.length === 0
          ? 'No notices.'
          : rows.map(({ at, topic, text }) => `${iso(at)} ${topic}: ${text}`).join('\n'),
      );
    });
  return verb;
}
