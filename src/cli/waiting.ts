import { Command } from 'commander';
import { startWords } from '../games/game.ts';
import { selectionText } from '../intake/result.ts';
import { readUnpriced, readWaiting } from '../sources/waiting.ts';
import { inSession } from './session.ts';
import type { Verb } from './verb.ts';

export const waitingVerb: Verb = (config, say) =>
  new Command('waiting')
    .description(
      'lists pending picks on games that are over, postponed, or missing from a source, and what would settle them',
    )
    .action(async () => {
      const [games, players] = await inSession(config('operator'), async ({ transaction, now }) => [
        await readWaiting(transaction, now),
        await readUnpriced(transaction, now),
      ]);
      if (games.length === 0)
        say('No picks wait for a game that is over, postponed, or missing from a source.');
      for (const { sport, name, selections, reasons, ...when } of games) {
        say(`${sport} ${name}, ${startWords(when)}: ${reasons.join('; ')}`);
        for (const { picks, needs, ...selection } of selections)
          say(`  ${selectionText(selection)}, ${picks} ${picks === 1 ? 'pick' : 'picks'}: needs ${needs}`);
      }
      if (players.length > 0) say('Players whom the price list of their game does not name:');
      for (const { sport, name, startsAt, player, picks, near } of players) {
        const counted = `${picks} ${picks === 1 ? 'pick' : 'picks'}`;
        say(`  ${sport} ${name}, ${startWords({ startsAt, day: null })}: ${player}, ${counted}`);
        for (const each of near)
          say(`    if ${each} is meant: aliases add-player ${sport} '${each}' '${player}'`);
      }
    });
