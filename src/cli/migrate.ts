import { Command } from 'commander';
import { migrate } from '../platform/database.ts';
import type { Verb } from './verb.ts';

/** `migrate`: brings the database to the newest schema. */
export const migrateVerb: Verb = (settings, say) =>
  new Command('migrate').description('brings the database to the newest schema').action(async () => {
    const { DATABASE_OWNER_URL, DATABASE_URL } = settings();
    await migrate(DATABASE_OWNER_URL ?? DATABASE_URL);
    say('The schema is up to date.');
  });
