import { Command } from 'commander';
import { migrate } from '../platform/database.ts';
import { newLogKind } from '../platform/log-kind.ts';
import type { Verb } from './verb.ts';

/** `migrate`: migrates the database to the latest schema. */
export const migrateVerb: Verb = (config, say) =>
  new Command('migrate').description('migrates the database to the latest schema').action(async () => {
    const settings = config('migrate');
    await migrate(settings.database.ownerUrl, newLogKind(settings));
    say('The schema is up to date.');
  });
