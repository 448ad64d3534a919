// Runs a TypeScript file of this project under the Node that the project pins (npm package `node`), after installing the packages that
// are missing or differ from package-lock.json. Plain JavaScript without any dependency: it is what runs on a fresh clone, under
// whatever Node the machine has (20 or newer).
//
//   node src/local/bootstrap.mjs [<file.ts> [arguments]]
//
// Files in src/ run with production packages. Any other file needs all packages; without a file, all are installed and nothing runs.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const [file, ...rest] = process.argv.slice(2);

if (process.platform === 'win32') refuse('Windows is not supported: please use WSL, a container or Linux.');
if (file === 'src/local/start.ts') (await import('./check-settings.mjs')).exitOnWrongSettings();

const installed = installedPackages();
// Development packages stay where they once were installed.
const development =
  !file?.startsWith('src/') || Object.values(installed ?? {}).some(({ dev, optional }) => dev && !optional);
const wanted = Object.entries(
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages,
).filter(([path, { dev }]) => path !== '' && (development || !dev));

if (isStale()) {
  const { status, errors, unreachable } = await install();
  if (unreachable !== undefined)
    refuse(
      `The npm registry cannot be reached (${unreachable}): packages are installed from it once. Try again when the network is back.`,
    );
  if (status !== 0) {
    process.stderr.write(errors);
    if (status < 128) process.stderr.write(`npm ended with status ${status}; its messages are above.\n`);
    process.exit(status);
  }
}
if (file === undefined) process.exit();
process.exit(await run(pinnedNode(), [file, ...rest], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }));

/**
 * The installed packages by path; undefined where there are none. npm writes the hidden lockfile as the last step of an install, so
 * an interrupted one counts as none.
 */
function installedPackages() {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  return existsSync(hidden) ? JSON.parse(readFileSync(hidden, 'utf8')).packages : undefined;
}

/** Whether a wanted package is missing or other than in package-lock.json. Contents are compared, since a checkout changes times. */
function isStale() {
  if (installed === undefined) return true;
  return wanted.some(([path, { version, integrity, optional, devOptional, peer }]) => {
    const found = installed[path];
    // Packages for other platforms are rightly missing.
    if (found === undefined) return !(optional || devOptional || peer);
    return found.version !== version || found.integrity !== integrity;
  });
}

/** Installs what is missing with the npm that started this, under the machine's Node: the project's own is about to be replaced. */
async function install() {
  const { npm_execpath: npm = '', npm_node_execpath: node = 'node' } = process.env;
  const bin = join(root, 'node_modules', '.bin');
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== bin)
    .join(delimiter);
  let errors = '';
  let failures = 0;
  let unreachable;
  // Without a network npm tries for minutes before it says so, each package again and again.
  const onLine = (line, child) => {
    if (!/^npm (http|warn|notice) /.test(line)) errors += `${line}\n`;
    if (!line.startsWith('npm http ')) return;
    if (/ (fetch GET 2\d\d|cache) /.test(line)) failures = Number.NEGATIVE_INFINITY;
    else failures += 1;
    if (failures < 5 || unreachable !== undefined) return;
    unreachable = / failed with (\w+)/.exec(line)?.[1];
    if (unreachable !== undefined) child.kill('SIGKILL');
  };
  const stdio = ['inherit', 'inherit', 'pipe'];
  const options = { cwd: root, stdio, env: { ...process.env, PATH }, onLine };
  // Without the second option a TypeScript (23 MB) that development packages bring stays, as an optional peer of a production package.
  const kind = development ? ['--include=dev'] : ['--omit=dev', '--omit=peer'];
  // `npm ci` would begin by removing what is there.
  const verb = installed === undefined ? ['ci'] : ['install', '--no-save'];
  const command = [...verb, ...kind, '--no-audit', '--no-fund', '--loglevel=http'];
  process.stdout.write('Installing packages (once) ...\n');
  const progress = setInterval(() => {
    const there = wanted.filter(([path]) => existsSync(join(root, path, 'package.json'))).length;
    process.stdout.write(`  ${there} of ${wanted.length}\n`);
  }, 5_000);
  const status = await (basename(npm) === 'npm-cli.js'
    ? run(node, [npm, ...command], options)
    : run('npm', command, options));
  clearInterval(progress);
  // What its install script fetched is linked to node_modules/node/bin; the rest is headers, 70 MB.
  if (status === 0)
    rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true });
  return { status, errors, unreachable };
}

function pinnedNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  return refuse(
    `The package "node" has no binary (${pinned}): npm was told not to run install scripts.\n` +
      'Please run `npm rebuild node --ignore-scripts=false`, or use Node 24 or newer.',
  );
}

/**
 * Runs a command to its end and passes signals on; a Ctrl-C in a terminal reaches both, which does no harm. Resolves to its exit
 * status, 128 + n after signal n.
 */
function run(command, args, { onLine, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => onLine(line, child));
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const parent = process.ppid;
    // An npm that is killed passes no signal on, nor one of which the shell between them dies: then the parent of
    // this process changes.
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
    child.on('close', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
