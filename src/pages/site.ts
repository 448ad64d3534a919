import type { LogKind } from '../rules/vocabulary.ts';

export interface Site {
  /** For example `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  helpLine: HelpLine;
  /** Whether the ledger is made up, which every page says. */
  demo: boolean;
  /** Every page of a log that is not live says so. Undefined until read from the database; it then never changes. */
  readonly logKind?: LogKind | undefined;
}

/** Returns the kind of the log, guessed until it is read from the database. */
export function logKindOf({ logKind, demo }: Site): LogKind {
  return logKind ?? (demo ? 'demo' : 'live');
}

export interface HelpLine {
  /** As shown, such as `1-800-GAMBLER`. */
  name: string;
  /** Number to dial: digits and hyphens. */
  number: string;
}
