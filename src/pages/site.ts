import type { LogKind } from '../rules/vocabulary.ts';

/** Facts that all pages of an installation share. */
export interface Site {
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** The help line for gambling problems. */
  helpLine: HelpLine;
  /** The ledger is made up: every page says so. */
  demo: boolean;
  /** Every page of a log that is not live says so. Undefined until it is read from the database; it then never changes. */
  readonly logKind?: LogKind | undefined;
}

/** Returns the kind of the log, with a guess until it has been read from the database. */
export function logKindOf({ logKind, demo }: Site): LogKind {
  return logKind ?? (demo ? 'demo' : 'live');
}

export interface HelpLine {
  /** As people say it, such as `1-800-GAMBLER`. */
  name: string;
  /** The number to dial: digits and hyphens. */
  number: string;
}
