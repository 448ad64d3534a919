import { Command } from 'commander';
import { readWaiting } from '../sources/waiting.ts';
import { inSession } from './session.ts';
import type { Verb } from './verb.ts';

/** `waiting`: which games picks wait for, and why. */
export const waitingVerb: Verb = (config, say) =>
  new Command('waiting')
    .description('lists games with pending picks that are overdue, postponed or no longer listed by a source')
    .action(async () => {
      const games = await inSession(config('operator'), ({ transaction, now }) =>
        readWaiting(transaction, now),
      );
      if (games.length === 0) say('No picks wait for a game that is overdue, postponed or no longer listed.');
      for (const { sport, name, startsAt, picks, reasons } of games)
        say(
          `${sport} ${name}, ${startsAt === null ? 'no start' : new Date(startsAt).toISOString()}, ${picks} ${picks === 1 ? 'pick' : 'picks'}: ${reasons.join('; ')}`,
        );
    });
