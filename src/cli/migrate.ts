import { Command } from 'commander';
import { LoginsIncomplete, readPasswords } from '../../migrations/logins.ts';
import { migrate } from '../../migrations/migrate.ts';
import { addedSports } from '../games/names/league-files.ts';
import { newLogKind } from '../ledger/log-kind.ts';
import { type Verb, VerbRefused } from './verb.ts';

export const migrateVerb: Verb = (config, say) =>
  new Command('migrate')
    .description('migrates the database to the current schema, and creates the logins of the processes')
    .action(async () => {
      const settings = config('migrate');
      const { ownerUrl, passwords } = settings.database;
      try {
        const logins = { passwords: readPasswords(passwords) };
        await migrate(ownerUrl, newLogKind(settings), logins, addedSports());
      } catch (error) {
        throw error instanceof LoginsIncomplete ? new VerbRefused(error.message) : error;
      }
      say('The schema is up to date.');
      if (passwords === undefined)
        say('The logins keep their passwords: set DATABASE_PASSWORDS to change them.');
    });
