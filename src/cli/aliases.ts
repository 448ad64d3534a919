import { Command } from 'commander';
import { moneylineWays } from '../games/game.ts';
import { putAlias, readAliases } from '../games/names/aliases.ts';
import { plainName } from '../games/names/plain.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { inSession, validated } from './session.ts';
import type { Say } from './verb.ts';
import { type ConfigOf, VerbRefused } from './verb.ts';

const name = plainText(1, 100);
const checkAlias = checker(Type.Object({ sport: slug, alias: name, team: name }));

/** `aliases`: maps other names of a team to its name here, so that events from providers match existing games. */
export function aliasesVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('aliases').description(
    'manages team aliases, by which events from providers match games',
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
      say(`In ${sport}, "${row.alias}" stands for "${row.team}".`);
    });
  verb
    .command('list')
    .description('lists the aliases')
    .action(async () => {
      const rows = await inSession(config('operator'), ({ transaction }) => readAliases(transaction));
      say(
        rows.length === 0
          ? 'No aliases.'
          : rows.map(({ sport, alias, team }) => `${sport} ${alias} = ${team}`).join('\n'),
      );
    });
  return verb;
}
