import { Command } from 'commander';
import { migrate } from '../platform/database.ts';
import type { Verb } from './verb.ts';

/** `migrate`: brings the database to the newest schema. */
export const migrateVerb: Verb = (config, say) =>
  new Command('migrate').description('brings the database to the newest schema').action(async () => {
    await migrate(config().database.ownerUrl);
    say('The schema is up to date.');
  });
