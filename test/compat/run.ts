// `npm run compat -- <ref> [tests]`: the tests of an earlier commit on the schema of this one, as in a rolling deploy the processes of the
// release before meet it. Checks that commit out beside this tree, gives it this tree's `migrations/`, and runs its tests that
// work on a database, or those that are named. Its last line is that of its `npm test`.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from '../../src/local/command.ts';
import { Refusal } from '../../src/local/refusal.ts';
import { stopRequest } from '../../src/local/stop-request.ts';

const root = resolve(import.meta.dirname, '..', '..');
const place = join(root, '.data', 'compat');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal } = stopRequest();

/** Folders whose tests work on a database. Those of `test/migrations` and `test/docs` compare the schema with what that commit has. */
const groups = [
  'attack',
  'boards',
  'faults',
  'games',
  'http',
  'jobs',
  'ledger',
  'operator',
  'projections',
  'sources',
  'status',
  'stream',
  'webhooks',
];

const [ref, ...tests] = process.argv.slice(2);
try {
  if (ref === undefined) throw new Refusal('Usage: npm run compat -- <ref of the release before> [tests]');
  const commit = (await git('rev-parse', '--verify', `${ref}^{commit}`)).trim();
  // Before there were logins all processes shared a role that the schema no longer has.
  if ((await git('ls-tree', '--name-only', commit, 'migrations/rights.ts')) === '')
    throw new Refusal(
      `${ref} has no login for each process (docs/decisions/0034-logins.md): it cannot run on this schema.`,
    );
  await removeTree();
  await git('worktree', 'add', '--detach', place, commit);
  try {
    await prepare();
    say(`The tests of ${(await git('log', '-1', '--format=%h, %s', commit)).trim()}, on this schema:`);
    process.exitCode = await runTests(tests.length > 0 ? tests : knownGroups());
  } finally {
    await removeTree();
  }
} catch (error) {
  process.exitCode = signal.aborted ? 130 : 1;
  if (!signal.aborted)
    process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
}
process.exit();

function git(...args: string[]): Promise<string> {
  return runCommand('git', ['-C', root, ...args]);
}

async function removeTree(): Promise<void> {
  rmSync(place, { recursive: true, force: true });
  await git('worktree', 'prune');
}

/** Gives the older tree this one's migrations, and its packages: those that are here where its lock file is the same. */
async function prepare(): Promise<void> {
  // By a link: Node resolves what migrations import of `src/` from where they are, so that is of this tree.
  rmSync(join(place, 'migrations'), { recursive: true });
  symlinkSync(join(root, 'migrations'), join(place, 'migrations'));
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lock(place) === lock(root)) symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  else await runCommand('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: place });
  mkdirSync(join(root, '.data', 'packages'), { recursive: true });
  mkdirSync(join(place, '.data'), { recursive: true });
  symlinkSync(join(root, '.data', 'packages'), join(place, '.data', 'packages'));
}

function knownGroups(): string[] {
  return groups.map((group) => `test/${group}`).filter((folder) => existsSync(join(place, folder)));
}

function runTests(paths: readonly string[]): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn('npm', ['test', '--', ...paths], { cwd: place, stdio: 'inherit', signal });
    child.on('error', fail);
    child.on('close', (code) => done(code ?? 1));
  });
}
