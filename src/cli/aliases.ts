import { Command } from 'commander';
import { moneylineWays } from '../games/game.ts';
import { putAlias, readAliases } from '../games/names/aliases.ts';
import { putPlayerAlias, readPlayerAliases, subjectForm } from '../games/names/players.ts';
import type { Transaction } from '../platform/database.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { plainName } from '../rules/plain-name.ts';
import { inSession, validated } from './session.ts';
import type { Say } from './verb.ts';
import { type ConfigOf, VerbRefused } from './verb.ts';

const name = plainText(1, 100);
const check = checker(Type.Object({ sport: slug, alias: name, name }));

/** The kinds of names that have aliases: the verb that adds one, how a name is written, and where it is stored. */
const named = [
  {
    verb: 'add',
    what: 'team',
    where: 'name of the team in this ledger',
    written: plainName,
    put: (transaction: Transaction, { sport, alias, name }: Alias) =>
      putAlias(transaction, { sport, alias, team: name }),
    said: ({ sport, alias, name }: Alias) => `In ${sport}, "${alias}" means "${name}".`,
  },
  {
    verb: 'add-player',
    what: 'player',
    where: 'name of the player in box scores',
    written: subjectForm,
    put: (transaction: Transaction, { sport, alias, name }: Alias) =>
      putPlayerAlias(transaction, { sport, alias, player: name }),
    said: ({ sport, alias, name }: Alias) => `In ${sport}, the player "${alias}" is "${name}".`,
  },
] as const;

interface Alias {
  sport: string;
  alias: string;
  name: string;
}

/** `aliases`: maps other names of a team or player to the name in this ledger, so that reports match games and picks. */
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
          await put(transaction, row);
        });
        say(said(row));
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
