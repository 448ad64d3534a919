import { Command } from 'commander';
import { currentGames } from '../games/open-bets.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { numberedText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { inSession } from './session.ts';
import { type Verb, VerbRefused } from './verb.ts';

export const readVerb: Verb = (config, say, warn) =>
  new Command('read')
    .description(
      'reads one bet as people write it, against the games that start in the next 36 hours, and stores nothing',
    )
    .argument('<line>', 'such as "Lakers -3.5 -110 2u"')
    .option('--json', 'print JSON')
    .action(async (line: string, { json }: { json?: true }) => {
      const games = await inSession(config('operator'), ({ transaction, now }) =>
        currentGames(transaction, now),
      );
      const found = readBetText(line, games);
      if (json === true) say(JSON.stringify(found, null, 2));
      else if (found.kind === 'bet') {
        say(shown(found.bet, games));
        found.notes.forEach(warn);
      } else if (found.kind === 'choices') {
        say(found.why);
        for (const choice of found.choices) say(`  ${shown(choice, games)}`);
      }
      if (found.kind === 'refused') throw new VerbRefused(found.reason);
    });

function shown(bet: BetReading, games: readonly BetGame[]): string {
  const start = bet.startsAt === null ? 'no start' : new Date(bet.startsAt).toISOString();
  const open = [
    bet.oddsAmerican === null ? 'no price' : '',
    bet.stakeUnits === null ? 'no stake' : '',
  ].filter((each) => each !== '');
  const missing = open.length === 0 ? '' : ` (${open.join(', ')})`;
  return `${numberedText(bet, games)}${missing}: ${bet.sport} ${bet.game}, ${start}, ${[bet.market, bet.subject, bet.side, bet.line].filter((part) => part !== null).join(' ')}`;
}
