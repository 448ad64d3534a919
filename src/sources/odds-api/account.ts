import type { Database } from '../../platform/database.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import { readRuns, type SourceRun } from '../runs.ts';

/** Name of the account's row, and prefix of its feeds' rows. */
export const account = 'odds-api';

export type OddsApiSettings = SourceSettings['oddsApi'];

export type OddsApiDeps = PollDeps<OddsApiSettings & { readonly key: string }>;

export async function accountRun(database: Database): Promise<SourceRun | undefined> {
  return (await readRuns(database, account)).get(account);
}
