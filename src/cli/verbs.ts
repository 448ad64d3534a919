import type { Command } from 'commander';
import { commands } from '../../packages/client/src/commands/index.ts';
import { type ConfigOf, type Output, type Verb, verbOf } from './verb.ts';

interface ListedVerb {
  /** Loads the verb on demand: loading all of them takes longer than most take to run. */
  load(): Promise<Verb>;
  /** Arguments after `npm run cli --`, for the help. */
  examples: readonly string[];
}

export const verbs: Readonly<Record<string, ListedVerb>> = {
  migrate: {
    load: async () => (await import('./migrate.ts')).migrateVerb,
    examples: ['migrate'],
  },
  ingest: {
    load: async () => (await import('./ingest.ts')).ingestVerb,
    examples: [
      'ingest --zone America/New_York picks.csv',
      'ingest --no-wait season/',
      'ingest --dry-run --capper "Max Gull" my-bets.xlsx',
      'ingest --map "Cote=odds" --map "Memo=-" --unit 25 my-bets.csv',
    ],
  },
  cappers: {
    load: async () => (await import('./cappers.ts')).cappersVerb,
    examples: ['cappers add ada --tier elite --verified --name "Ada L."', 'cappers tier ada verified_sharp'],
  },
  results: {
    load: async () => (await import('./results.ts')).resultsVerb,
    examples: [
      'results set --sport nfl --game "Gulls @ Foxes" --starts-at 2026-01-11T18:00:00Z --market first_touchdown --subject "Rory Finch" --side yes --result win',
    ],
  },
  notices: {
    load: async () => (await import('./notices.ts')).noticesVerb,
    examples: ['notices add "The feed of scores was down from 18:00 to 19:00 UTC."', 'notices list'],
  },
  aliases: {
    load: async () => (await import('./aliases.ts')).aliasesVerb,
    examples: [
      'aliases add nfl "NY Gulls" "New York Gulls"',
      'aliases add-player nfl "Ace Finch" "Rory Finch"',
      'aliases list',
    ],
  },
  sources: {
    load: async () => (await import('./sources.ts')).sourcesVerb,
    examples: ['sources', 'sources try espn nba'],
  },
  waiting: {
    load: async () => (await import('./waiting.ts')).waitingVerb,
    examples: ['waiting'],
  },
  join: {
    load: async () => (await import('./join.ts')).joinVerb,
    examples: ['join', 'join 1204 1377'],
  },
  read: {
    load: async () => (await import('./read.ts')).readVerb,
    examples: ['read "Lakers -3.5 -110 2u"', 'read --json "over 8.5 Yankees Red Sox 1.91 1u"'],
  },
  audit: {
    load: async () => (await import('./audit.ts')).auditVerb,
    examples: ['audit'],
  },
  rebuild: {
    load: async () => (await import('./rebuild.ts')).rebuildVerb,
    examples: ['rebuild'],
  },
  'ledger-key': {
    load: async () => (await import('./ledger-key.ts')).ledgerKeyVerb,
    examples: ['ledger-key picks.example/ledger'],
  },
  'rotate-key': {
    load: async () => (await import('./rotate-key.ts')).rotateKeyVerb,
    examples: ['rotate-key'],
  },
  events: {
    load: async () => (await import('./events.ts')).eventsVerb,
    examples: ['events list', 'events put-back'],
  },
  'new-origin': {
    load: async () => (await import('./new-origin.ts')).newOriginVerb,
    examples: ['new-origin picks.example/ledger-2 --reason "The disk was lost on 3 March."'],
  },
  signer: {
    load: async () => (await import('./signer.ts')).signerVerb,
    examples: ['signer --key-file ledger.key --socket signer.sock'],
  },
  'check-acknowledgement': {
    load: async () => (await import('./check-acknowledgement.ts')).checkAcknowledgementVerb,
    examples: ['check-acknowledgement acknowledgement.txt --url https://picks.example'],
  },
  ...Object.fromEntries(
    Object.entries(commands).map(([name, { about, examples, load }]) => [
      name,
      { load: async () => verbOf(name, about, await load()), examples },
    ]),
  ),
};

/** Loads a verb, with its examples in its help. */
export async function loadVerb(
  { load, examples }: ListedVerb,
  config: ConfigOf,
  { say, warn }: Output,
): Promise<Command> {
  const lines = examples.map((example) => `  npm run cli -- ${example}`);
  const heading = lines.length > 1 ? 'Examples' : 'Example';
  return (await load())(config, say, warn).addHelpText('afterAll', `\n${heading}:\n${lines.join('\n')}`);
}

/** Makes a command and its subcommands refuse arguments in sentences, as verbs do. */
export function inSentences(command: Command): Command {
  command.configureOutput({
    outputError: (text, write) =>
      write(
        text.replace(
          /^error: (.)(.*?)\.?$/m,
          (_, first: string, rest: string) => `${first.toUpperCase()}${rest}.`,
        ),
      ),
  });
  command.commands.forEach(inSentences);
  return command;
}
