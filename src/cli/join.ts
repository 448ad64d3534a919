import { Command } from 'commander';
import type { Game } from '../games/game.ts';
import { findTwins, JoinRefused, joinGames } from '../games/twins.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { isoOrNull } from '../platform/clock.ts';
import { inSession } from './session.ts';
import { type Verb, VerbRefused } from './verb.ts';

export const joinVerb: Verb = (config, say) =>
  new Command('join')
    .description('joins two games that are one fixture; without games, lists those that look like one')
    .argument('[game]', 'number of a game, as in the address of its page')
    .argument('[other]', 'number of the other game')
    .action(async (game?: string, other?: string) => {
      if (game === undefined) {
        const found = await inSession(config('operator'), ({ transaction, now }) =>
          findTwins(transaction, now),
        );
        if (found.length === 0) return say('No games look like one fixture.');
        for (const { from, to } of found) say(`join ${to.id} ${from.id}: ${textOf(to)} = ${textOf(from)}`);
        return;
      }
      const [one, two] = [game, other ?? ''].map((text) => {
        if (!/^[1-9]\d{0,14}$/.test(text)) throw new VerbRefused('Give the numbers of two games.');
        return Number(text);
      });
      try {
        const { from, to, alias } = await inSession(config('operator'), async (session) => {
          const joined = await joinGames(session.transaction, one!, two!, session.now);
          session.afterCommit(seal as Job, gradeDueJob as Job);
          return joined;
        });
        say(`${from.name} is now ${to.name} (game ${to.id}). The join becomes an entry of the log.`);
        if (alias !== undefined) say(`In ${to.sport}, "${alias.alias}" means "${alias.team}".`);
      } catch (error) {
        throw error instanceof JoinRefused ? new VerbRefused(error.message) : error;
      }
    });

const textOf = ({ sport, name, startsAt }: Game) => `${sport} ${name}, ${isoOrNull(startsAt)}`;
