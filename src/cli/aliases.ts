import { Command } from 'commander';
import { Type } from 'typebox';
import { moneylineWays } from '../games/sports.ts';
import type { Config } from '../platform/config/config.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { plainTeam, putAlias, readAliases } from '../sources/teams.ts';
import { given, inSession } from './session.ts';
import type { Say } from './verb.ts';
import { VerbRefused } from './verb.ts';

const name = plainText(1, 100);
const checkAlias = checker(Type.Object({ sport: slug, alias: name, team: name }));

/** `aliases`: says that one name stands for another, so that a provider's events find the games that they are. */
export function aliasesVerb(config: () => Config, say: Say): Command {
  const verb = new Command('aliases').description("names of teams by which providers' events find our games");
  verb
    .command('add')
    .description('says that in a sport one name stands for another')
    .argument('<sport>')
    .argument('<alias>', 'what a team is also called')
    .argument('<team>', 'the name that it stands for')
    .action(async (sport: string, alias: string, team: string) => {
      const row = given(checkAlias({ sport, alias: plainTeam(alias), team: plainTeam(team) }));
      if (row.alias === row.team) throw new VerbRefused('These are the same name already.');
      await inSession(config(), async ({ transaction }) => {
        if (!(await moneylineWays(transaction)).has(sport))
          throw new VerbRefused(`There is no sport ${sport}.`);
        await putAlias(transaction, row);
      });
      say(`In ${sport}, "${row.alias}" stands for "${row.team}".`);
    });
  verb
    .command('list')
    .description('lists the aliases that were added')
    .action(async () => {
      const rows = await inSession(config(), ({ transaction }) => readAliases(transaction));
      say(
        rows.length === 0
          ? 'No aliases.'
          : rows.map(({ sport, alias, team }) => `${sport} ${alias} = ${team}`).join('\n'),
      );
    });
  return verb;
}
