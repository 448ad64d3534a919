import { Command } from 'commander';
import { moneylineWays } from '../games/game.ts';
import { playerAliases, teamAliases } from '../games/names/aliases.ts';
import { subjectForm } from '../games/names/players.ts';
import type { Transaction } from '../platform/database.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { plainName } from '../rules/plain-name.ts';
import { inSession, validated } from './session.ts';
import { type ConfigOf, type Say, VerbRefused } from './verb.ts';

const name = plainText(1, 100);
const check = checker(Type.Object({ sport: slug, alias: name, name }));

/** Whose names have aliases: the verb that adds one, and how a name is written and stored. */
const named = [
  {
    verb: 'add',
    what: 'team',
    where: 'name of the team in this ledger',
    written: plainName,
    put: (transaction: Transaction, sport: string, alias: string, team: string) =>
      teamAliases.put(transaction, { sport, alias, team }),
    said: (alias: string, name: string) => `"${alias}" means "${name}"`,
  },
  {
    verb: 'add-player',
    what: 'player',
    where: 'name of the player in box scores',
    written: subjectForm,
    put: (transaction: Transaction, sport: string, alias: string, player: string) =>
      playerAliases.put(transaction, { sport, alias, player }),
    said: (alias: string, name: string) => `the player "${alias}" is "${name}"`,
  },
];

/** Maps other names of a team or player to the name in this ledger, so that reports match games and picks. */
export function aliasesVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('aliases').description(
    'manages aliases of teams and players, by which reports match games and picks',
  );
  for (const { verb: adds, what, where, written, put, said } of named)
    verb
      .command(adds)
      .description(`adds an alias of a ${what}`)
      .argument('<sport>')
      .argument('<alias>', `another name of the ${what}`)
      .argument(`<${what}>`, where)
      .action(async (sport: string, alias: string, name: string) => {
        const row = validated(check({ sport, alias: written(alias), name: written(name) }));
        if (row.alias === row.name) throw new VerbRefused(`The alias and the ${what} are the same name.`);
        await inSession(config('operator'), async ({ transaction }) => {
          if (!(await moneylineWays(transaction)).has(sport))
            throw new VerbRefused(`There is no sport ${sport}.`);
          await put(transaction, sport, row.alias, row.name);
        });
        say(`In ${sport}, ${said(row.alias, row.name)}.`);
      });
  verb
    .command('list')
    .description('lists the aliases')
    .action(async () => {
      const [teams, players] = await inSession(config('operator'), async ({ transaction }) => [
        await teamAliases.read(transaction),
        await playerAliases.read(transaction),
      ]);
      const lines = [
        ...teams.map(({ sport, alias, team }) => `${sport} ${alias} = ${team}`),
        ...players.map(({ sport, alias, player }) => `${sport} player ${alias} = ${player}`),
      ];
      say(lines.length === 0 ? 'No aliases.' : lines.join('\n'));
    });
  return verb;
}
