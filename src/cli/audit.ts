import { Presets, SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { type AuditOptions, audit, type KeptNote, type WholeAudit } from '../ledger/audit/audit.ts';
import { auditStep, readAuditState, writeAuditState } from '../ledger/audit/steps.ts';
import {
  type CheckpointStore,
  CheckpointStoreError,
  checkpointStore,
} from '../ledger/publishing/checkpoint-store/open.ts';
import { latestCheckpoint } from '../ledger/publishing/published.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, isDamaged, sentenceOf } from '../platform/database.ts';
import { auditMissingChoices } from '../projections/pick-of-the-day.ts';
import { auditProjections } from '../projections/rebuild.ts';
import { auditStatusDays } from '../status/history.ts';
import { auditWebhookEvents } from '../webhooks/messages/events.ts';
import { onDatabase } from './session.ts';
import type { Say, Verb } from './verb.ts';

/** Further findings are counted. */
const maxShown = 1_000;

/**
 * @param keep recreates a missing checkpoint in the checkpoint store if nothing differs
 * @returns the exit status: 0 no difference, 1 a difference
 */
async function auditAll({ database, store, options }: Ledger, keep: boolean, say: Say): Promise<number> {
  const bar = new SingleBar(
    { format: 'entries [{bar}] {value}/{total}', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let missing = false;
  const readKept = async (): Promise<KeptNote> => {
    if (store === undefined) return undefined;
    const note = await store.read();
    missing = note === null;
    return missing && keep ? undefined : note;
  };
  bar.start(0, 0);
  let shown = 0;
  const found = await audit(database, readKept, {
    ...options,
    further: [auditProjections, auditMissingChoices, auditWebhookEvents, auditStatusDays],
    onFinding({ message }) {
      shown += 1;
      if (shown <= maxShown) say(`${message}.`);
    },
    onProgress(done, total) {
      bar.setTotal(total);
      bar.update(done);
    },
  }).finally(() => bar.stop());
  report(found, say);
  if (found.difference !== null || found.findings > 0) return 1;
  const latest = keep && missing ? await latestCheckpoint(database) : undefined;
  if (store === undefined || latest === undefined) return 0;
  if (await store.compareAndSwap(null, latest.note))
    say(`Wrote the checkpoint of ${latest.size} entries to the checkpoint store.`);
  else say('A publisher has filled the checkpoint store meanwhile.');
  return 0;
}

/** Step by step to the end of the log. A step with findings does not update the file, so that the next run repeats it. */
async function auditSteps({ database, store, options }: Ledger, file: string, say: Say): Promise<number> {
  let state = readAuditState(file);
  const from = state.frontier.size;
  for (;;) {
    const step = await auditStep(database, async () => store?.read(), state, options);
    for (const { message } of step.found.slice(0, maxShown)) say(`${message}.`);
    const count = step.found.length;
    if (count > 0) {
      say(
        `${file} stays before the step from entry ${state.frontier.size}, which has ${count} ${count === 1 ? 'finding' : 'findings'}.`,
      );
      return 1;
    }
    state = step.state;
    writeAuditState(file, state);
    if (!step.ended) continue;
    say(`${state.frontier.size - from} entries after the first ${from} match what was sealed and signed.`);
    sayCompared(step.comparedWith, say);
    return 0;
  }
}

interface Ledger {
  database: Database;
  store: CheckpointStore | undefined;
  options: AuditOptions;
}

/** Runs an audit on the configured ledger. @returns its exit status; 2 if the checkpoint store is unavailable */
async function withLedger(
  config: Config<'sealing'>,
  say: Say,
  work: (ledger: Ledger) => Promise<number>,
): Promise<number> {
  const { key, signer, witnessQuorum, checkpointStore: address, auditExpected, dataFiles } = config.ledger;
  const store = address === undefined ? undefined : checkpointStore(address);
  const onRemark = (remark: string) => say(`Remark: ${remark}.`);
  const options = { signing: { key, signer }, witnessQuorum, expected: auditExpected, dataFiles, onRemark };
  try {
    const run = (database: Database) => work({ database, store, options });
    return await onDatabase(config.database.url, 'audit', run, 3);
  } catch (error) {
    if (isDamaged(error)) {
      say(`PostgreSQL cannot read its own files: ${sentenceOf(error)}. Restore a backup.`);
      return 1;
    }
    if (!(error instanceof CheckpointStoreError)) throw error;
    say(error.message);
    return 2;
  }
}

function report(found: WholeAudit, say: Say): void {
  const { entries, checkpoints, comparedWith, difference, picks, findings } = found;
  if (findings > maxShown) say(`${findings - maxShown} more like these are not shown.`);
  if (findings === 0) say(`${picks} picks closed and settled as scores, prices, and rules say.`);
  else say(`${findings} findings about ${picks} picks.`);
  if (difference !== null) {
    say(`Differs from what was sealed: ${difference.message}.`);
    return;
  }
  say(`${entries} entries and ${checkpoints} checkpoints match what was sealed and signed.`);
  sayCompared(comparedWith, say);
}

function sayCompared(comparedWith: number | null, say: Say): void {
  if (comparedWith !== null)
    say(`They extend the ${comparedWith} entries of the checkpoint in the checkpoint store.`);
  else
    say(
      'Nothing outside the database was compared: a database restored from an older backup would also pass.',
    );
}

export const auditVerb: Verb = (config, say) =>
  new Command('audit')
    .description(
      'recomputes the whole log from the database and compares it with what was signed and published',
    )
    .addOption(
      new Option('--keep', 'recreate a missing checkpoint in the checkpoint store if nothing differs')
        .default(false)
        .conflicts('state'),
    )
    .option(
      '--state <file>',
      'audit only what was sealed since the last run with this file, in short steps; the file is updated if nothing differs',
    )
    .action(async ({ keep, state }: { keep: boolean; state?: string }) => {
      process.exitCode = await withLedger(config('sealing', 'auditor'), say, (ledger) =>
        state === undefined ? auditAll(ledger, keep, say) : auditSteps(ledger, state, say),
      );
    });
