import type { Database } from '../platform/database.ts';

export interface Sport {
  key: string;
  label: string;
  moneylineWays: 2 | 3;
  eventMinutes: number;
}

/** What boards and pages are computed with: a database to read, the instant, and the facts of the deployment. */
export interface BoardContext {
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** The help line for gambling problems, as people say it. */
  helpLine: string;
  /** The valid sports by key, in their order. */
  sports: ReadonlyMap<string, Sport>;
}
