// Runs a TypeScript file of this project under the Node that the project pins (npm package `node`), installing
// the packages first where they are missing or older than package-lock.json. Plain JavaScript, and without a
// dependency, since it is what runs on a fresh clone, under whatever Node the machine has (20 or newer).
//
//   node src/local/bootstrap.mjs <file.ts> [arguments]

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const [file, ...rest] = process.argv.slice(2);

if (process.platform === 'win32') refuse('Windows is not supported: please use WSL, a container or Linux.');
if (file === undefined) refuse('Which file? node src/local/bootstrap.mjs <file.ts> [arguments]');
if (file === 'src/local/start.ts') (await import('./check-settings.mjs')).exitOnWrongSettings();

if (stale()) {
  process.stdout.write('Installing the packages (once; it takes about a minute) ...\n');
  const status = await install();
  if (status !== 0) {
    if (status < 128) process.stderr.write(`npm ci ended with status ${status}; its messages are above.\n`);
    process.exit(status);
  }
}
process.exit(await run(pinnedNode(), [file, ...rest], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }));

/**
 * Whether the installed packages are other than those of package-lock.json. npm writes the hidden lockfile as
 * the last act of an install, so an interrupted one counts as stale. Contents are compared, not times, since a
 * checkout touches files.
 */
function stale() {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return true;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).some(([path, { version, integrity, optional, devOptional, peer }]) => {
    if (path === '') return false;
    const found = installed[path];
    // What is meant for other platforms is not there, rightly.
    if (found === undefined) return !(optional || devOptional || peer);
    return found.version !== version || found.integrity !== integrity;
  });
}

/**
 * Installs with the npm that started this, under the machine's own Node: the project's one is about to be
 * replaced.
 */
function install() {
  const { npm_execpath: npm = '', npm_node_execpath: node = 'node' } = process.env;
  const bin = join(root, 'node_modules', '.bin');
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== bin)
    .join(delimiter);
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } };
  const ci = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  return basename(npm) === 'npm-cli.js' ? run(node, [npm, ...ci], options) : run('npm', ci, options);
}

function pinnedNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  return refuse(
    `The package "node" holds no binary (${pinned}): npm was told not to run install scripts.\n` +
      'Please run `npm rebuild node --ignore-scripts=false`, or use Node 24 or newer.',
  );
}

/**
 * Runs a command to its end, passing signals on; a Ctrl-C in a terminal reaches both, which harms neither.
 * Resolves to its exit status, 128 + n after signal n.
 */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const parent = process.ppid;
    // npm passes no signal on once it is killed, and none that the shell between dies of: then this one's
    // parent changes.
    const orphaned = setInterval(() => {
      if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) child.kill('SIGTERM');
    }, 500);
    for (const signal of signals) process.on(signal, forward);
    const done = (status) => {
      clearInterval(orphaned);
      for (const signal of signals) process.off(signal, forward);
      resolve(status);
    };
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      done(127);
    });
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
