import type { Database } from '../platform/database.ts';

export interface Sport {
  key: string;
  label: string;
  moneylineWays: 2 | 3;
  eventMinutes: number;
}

/** Context for computing boards and pages: database, instant, and deployment settings. */
export interface BoardContext {
  database: Database;
  now: EpochMs;
  /** For example `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** The problem gambling help line, as shown. */
  helpLine: string;
  /** The valid sports by key, in order. */
  sports: ReadonlyMap<string, Sport>;
}
