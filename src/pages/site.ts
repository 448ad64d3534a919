/** What all pages of one installation have in common. */
export interface Site {
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** Where whoever gambles too much finds help. */
  helpLine: HelpLine;
  /** The ledger is made up: every page says so. */
  demo: boolean;
}

export interface HelpLine {
  /** As people say it, such as `1-800-GAMBLER`. */
  name: string;
  /** The number to dial: digits and hyphens. */
  number: string;
}

/** A site out of settings. */
export function siteOf(settings: {
  BASE_URL: string;
  HELP_LINE: string;
  HELP_LINE_NUMBER: string;
  DEMO: boolean;
}): Site {
  return {
    baseUrl: settings.BASE_URL,
    helpLine: { name: settings.HELP_LINE, number: settings.HELP_LINE_NUMBER },
    demo: settings.DEMO,
  };
}
