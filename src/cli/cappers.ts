import { Command } from 'commander';
import { type Capper, findCappers } from '../cappers/cappers.ts';
import { applyCappers, type CapperRow, checkCapper } from '../intake/capper.ts';
import { followLogJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import type { Database } from '../platform/database.ts';
import { inSession, type Session, validated } from './session.ts';
import { type ConfigOf, type Say, VerbRefused } from './verb.ts';

/** Each change is a notice in the log. */
export function cappersVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('cappers').description('adds, changes, and lists cappers');
  const run = async (work: (session: Session) => Promise<string>) =>
    say(await inSession(config('operator'), work));

  verb
    .command('add')
    .description('adds a capper')
    .argument('<handle>')
    .requiredOption('--tier <tier>', 'elite, verified_sharp, or listed')
    .option('--verified', 'accept picks of this capper', false)
    .option('--name <name>', 'display name; default: the handle')
    .action((handle: string, { tier, verified, name }) =>
      run((session) => add(session, { handle, tier, verified, displayName: name ?? null })),
    );
  verb
    .command('verify')
    .description("accepts a capper's picks")
    .argument('<handle>')
    .action((handle: string) => run((session) => change(session, handle, { verified: true })));
  verb
    .command('unverify')
    .description('refuses new picks of a capper; posted picks stay')
    .argument('<handle>')
    .action((handle: string) => run((session) => change(session, handle, { verified: false })));
  verb
    .command('tier')
    .description("changes a capper's tier; posted picks keep theirs")
    .argument('<handle>')
    .argument('<tier>', 'elite, verified_sharp, or listed')
    .action((handle: string, tier: string) => run((session) => change(session, handle, { tier })));
  verb
    .command('list')
    .description('lists the cappers')
    .option('--tier <tier>', 'only cappers of this tier')
    .action(({ tier }: { tier?: string }) => run(({ transaction }) => list(transaction, tier)));
  return verb;
}

async function add({ transaction, now, afterCommit }: Session, row: unknown): Promise<string> {
  const capper = validated(checkCapper(row));
  const handle = capper.handle.toLowerCase();
  if ((await findCappers(transaction, [handle])).has(handle))
    throw new VerbRefused(`Capper ${handle} already exists: change it with tier, verify, or unverify.`);
  await applyCappers(transaction, [capper], { now, imported: false });
  afterCommit(followLogJob as Job);
  return `Added ${handle}: ${capper.tier}, ${capper.verified ? 'verified' : 'not verified'}.`;
}

async function change(
  session: Session,
  name: string,
  values: { tier?: string; verified?: boolean },
): Promise<string> {
  const { transaction, now, afterCommit } = session;
  const handle = name.toLowerCase();
  const before = (await findCappers(transaction, [handle])).get(handle);
  if (before === undefined) throw new VerbRefused(`There is no capper ${handle}.`);
  const after = validated(checkCapper({ ...rowOf(before), ...values }));
  const { changes } = await applyCappers(transaction, [after], { now, imported: false });
  if (changes.length === 0) return `${handle} is unchanged.`;
  await recordNotices(transaction, 'remark', changes, now);
  afterCommit(followLogJob as Job, seal as Job);
  return changes.join(' ');
}

function rowOf({ handle, tier, verified, displayName }: Capper): Record<keyof CapperRow, unknown> {
  return { handle, tier, verified, displayName };
}

async function list(database: Database, tier: string | undefined): Promise<string> {
  const rows: { handle: string; tier: string; verified: boolean }[] = await database('cappers')
    .where(tier === undefined ? {} : { tier })
    .orderBy('id')
    .select('handle', 'tier', 'verified');
  if (rows.length === 0) return 'No cappers.';
  return rows
    .map(
      (row) =>
        `${row.handle.padEnd(32)} ${row.tier.padEnd(14)} ${row.verified ? 'verified' : 'not verified'}`,
    )
    .join('\n');
}
