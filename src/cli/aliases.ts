import { Command } from 'commander';
import { moneylineWays } from '../games/game.ts';
import { putAlias, readAliases } from '../games/names/aliases.ts';
import { putPlayerAlias, readPlayerAliases, subjectForm } from '../games/names/players.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { plainName } from '../rules/plain-name.ts';
import { inSession, validated } from './session.ts';
import type { Say } from './verb.ts';
import { type ConfigOf, VerbRefused } from './verb.ts';

const name = plainText(1, 100);
const checkAlias = checker(Type.Object({ sport: slug, alias: name, team: name }));
const checkPlayerAlias = checker(Type.Object({ sport: slug, alias: name, player: name }));

/** `aliases`: maps other names of a team or player to the name in this ledger, so that reports match games and picks. */
export function aliasesVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('aliases').description(
    'manages aliases of teams and players, by which reports match games and picks',
  );
  verb
    .command('add')
    .description('adds an alias of a team')
    .argument('<sport>')
    .argument('<alias>', 'another name of the team')
    .argument('<team>', 'name of the team in this ledger')
    .action(async (sport: string, alias: string, team: string) => {
      const row = validated(checkAlias({ sport, alias: plainName(alias), team: plainName(team) }));
      if (row.alias === row.team) throw new VerbRefused('The alias and the team are the same name.');
      await inSession(config('operator'), async ({ transaction }) => {
        if (!(await moneylineWays(transaction)).has(sport))
          throw new VerbRefused(`There is no sport ${sport}.`);
        await putAlias(transaction, row);
      });
      say(`In ${sport}, "${row.alias}" means "${row.team}".`);
    });
  verb
    .command('add-player')
    .description('adds an alias of a player')
    .argument('<sport>')
    .argument('<alias>', 'another name of the player')
    .argument('<player>', 'name of the player in box scores')
    .action(async (sport: string, alias: string, player: string) => {
      const row = validated(
        checkPlayerAlias({ sport, alias: subjectForm(alias), player: subjectForm(player) }),
      );
      if (row.alias === row.player) throw new VerbRefused('The alias and the player are the same name.');
      await inSession(config('operator'), async ({ transaction }) => {
        if (!(await moneylineWays(transaction)).has(sport))
          throw new VerbRefused(`There is no sport ${sport}.`);
        await putPlayerAlias(transaction, row);
      });
      say(`In ${sport}, the player "${row.alias}" is "${row.player}".`);
    });
  verb
    .command('list')
    .description('lists the aliases')
    .action(async () => {
      const [teams, players] = await inSession(config('operator'), async ({ transaction }) => [
        await readAliases(transaction),
        await readPlayerAliases(transaction),
      ]);
      const lines = [
        ...teams.map(({ sport, alias, team }) => `${sport} ${alias} = ${team}`),
        ...players.map(({ sport, alias, player }) => `${sport} player ${alias} = ${player}`),
      ];
      say(lines.length === 0 ? 'No aliases.' : lines.join('\n'));
    });
  return verb;
}
