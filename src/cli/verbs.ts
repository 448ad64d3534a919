import type { Command } from 'commander';
import { commands } from '../../packages/client/src/commands/index.ts';
import { type ConfigOf, type Output, type Verb, verbOf } from './verb.ts';

interface ListedVerb {
  /** Loads the verb on demand: loading all of them takes longer than most take to run. */
  load(): Promise<Verb>;
  /** Arguments after `npm run cli --`, for the help. */
  examples: readonly string[];
}

const verb = (load: ListedVerb['load'], ...examples: string[]): ListedVerb => ({ load, examples });

export const verbs: Readonly<Record<string, ListedVerb>> = {
  migrate: verb(async () => (await import('./migrate.ts')).migrateVerb, 'migrate'),
  ingest: verb(
    async () => (await import('./ingest.ts')).ingestVerb,
    'ingest --zone America/New_York picks.csv',
    'ingest --no-wait season/',
    'ingest --dry-run --capper "Max Gull" my-bets.xlsx',
    'ingest --map "Cote=odds" --map "Memo=-" --unit 25 my-bets.csv',
  ),
  cappers: verb(
    async () => (await import('./cappers.ts')).cappersVerb,
    'cappers add ada --tier elite --verified --name "Ada L."',
    'cappers tier ada verified_sharp',
  ),
  results: verb(
    async () => (await import('./results.ts')).resultsVerb,
    'results set --sport nfl --game "Gulls @ Foxes" --starts-at 2026-01-11T18:00:00Z --market first_touchdown --subject "Rory Finch" --side yes --result win',
  ),
  notices: verb(
    async () => (await import('./notices.ts')).noticesVerb,
    'notices add "The feed of scores was down from 18:00 to 19:00 UTC."',
    'notices list',
  ),
  aliases: verb(
    async () => (await import('./aliases.ts')).aliasesVerb,
    'aliases add nfl "NY Gulls" "New York Gulls"',
    'aliases add-player nfl "Ace Finch" "Rory Finch"',
    'aliases list',
  ),
  sources: verb(async () => (await import('./sources.ts')).sourcesVerb, 'sources', 'sources try espn nba'),
  waiting: verb(async () => (await import('./waiting.ts')).waitingVerb, 'waiting'),
  join: verb(async () => (await import('./join.ts')).joinVerb, 'join', 'join 1204 1377'),
  read: verb(
    async () => (await import('./read.ts')).readVerb,
    'read "Lakers -3.5 -110 2u"',
    'read --json "over 8.5 Yankees Red Sox 1.91 1u"',
  ),
  audit: verb(async () => (await import('./audit.ts')).auditVerb, 'audit'),
  rebuild: verb(
    async () => (await import('./rebuild.ts')).rebuildVerb,
    'rebuild',
    'rebuild mirror-picks.example --compare https://picks.example',
  ),
  'ledger-key': verb(
    async () => (await import('./rotate-key.ts')).ledgerKeyVerb,
    'ledger-key picks.example/ledger',
  ),
  'rotate-key': verb(async () => (await import('./rotate-key.ts')).rotateKeyVerb, 'rotate-key'),
  events: verb(async () => (await import('./events.ts')).eventsVerb, 'events list', 'events put-back'),
  'new-origin': verb(
    async () => (await import('./new-origin.ts')).newOriginVerb,
    'new-origin picks.example/ledger-2 --reason "The disk was lost on 3 March."',
  ),
  signer: verb(
    async () => (await import('./signer.ts')).signerVerb,
    'signer --key-file ledger.key --socket signer.sock',
  ),
  'check-acknowledgement': verb(
    async () => (await import('./check-acknowledgement.ts')).checkAcknowledgementVerb,
    'check-acknowledgement acknowledgement.txt --url https://picks.example',
  ),
  ...Object.fromEntries(
    Object.entries(commands).map(([name, { about, examples, load }]) => [
      name,
      verb(async () => verbOf(name, about, await load()), ...examples),
    ]),
  ),
};

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
