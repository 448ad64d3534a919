import { Command } from 'commander';
import { selectionText } from '../intake/result.ts';

import { readWaiting } from '../sources/waiting.ts';
import { inSession } from './session.ts';
import type { Verb } from './verb.ts';

/** `waiting`: shows which games picks wait for, why, and what would settle them. */
export const waitingVerb: Verb = (config, say) =>
  new Command('waiting')
    .description(
      'lists pending picks on games that are over, postponed, or missing from a source, and what would settle them',
    )
    .action(async () => {
      const games = await inSession(config('operator'), ({ transaction, now }) =>
        readWaiting(transaction, now),
      );
      if (games.length === 0)
        say('No picks wait for a game that is over, postponed, or missing from a source.');
      for (const { sport, name, startsAt, selections, reasons } of games) {
        const start = startsAt === null ? 'no start' : new Date(startsAt).toISOString();
        say(`${sport} ${name}, ${start}: ${reasons.join('; ')}`);
        for (const { picks, needs, ...selection } of selections)
          say(`  ${selectionText(selection)}, ${picks} ${picks === 1 ? 'pick' : 'picks'}: needs ${needs}`);
      }
    });
