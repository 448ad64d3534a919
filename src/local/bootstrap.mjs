// Runs a TypeScript file of this project with the Node that the project pins (npm package `node`), after installing packages that are
// missing or differ from package-lock.json. Plain JavaScript without dependencies: it runs on a fresh clone, with whatever Node the machine
// has (20 or newer).
//
//   node src/local/bootstrap.mjs [<file.ts> [arguments]]
//
// Files in src/ need only production packages. Any other file needs all packages; without a file, all are installed and nothing runs.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const [file, ...rest] = process.argv.slice(2);

if (process.platform === 'win32') refuse('Windows is not supported: use WSL, a container, or Linux.');

const installed = installedPackages();
// Installed development packages are kept.
const development =
  !file?.startsWith('src/') || Object.values(installed ?? {}).some(({ dev, optional }) => dev && !optional);
const wanted = Object.entries(
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages,
).filter(([path, { dev }]) => path !== '' && (development || !dev));

if (isStale()) {
  const { status, errors, unreachable } = await install();
  if (unreachable !== undefined)
    refuse(
      `Cannot reach the npm registry (${unreachable}), from which packages are installed once. Try again when the network is back.`,
    );
  if (status !== 0) {
    process.stderr.write(errors);
    if (status < 128) process.stderr.write(`npm ended with status ${status}; see its output above.\n`);
    process.exit(status);
  }
}
if (file === undefined) process.exit();
// As in bin/run.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node');
process.exit(await run(pinnedNode(), [file, ...rest], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }));

/**
 * Returns the installed packages by path; undefined if there are none. npm writes the hidden lockfile last, so an interrupted install
 * counts as none.
 */
function installedPackages() {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  return existsSync(hidden) ? JSON.parse(readFileSync(hidden, 'utf8')).packages : undefined;
}

/** Reports whether a wanted package is missing or differs from package-lock.json. Compares contents, because a checkout changes times. */
function isStale() {
  if (installed === undefined) return true;
  return wanted.some(([path, { version, integrity, optional, devOptional, peer }]) => {
    const found = installed[path];
    // Packages for other platforms may be missing.
    if (found === undefined) return !(optional || devOptional || peer);
    return found.version !== version || found.integrity !== integrity;
  });
}

/** Installs packages with the npm that started this and the machine's Node, because the project's Node is about to be replaced. */
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
  // Without a network, npm retries each package for minutes before it reports an error.
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
  // The second option removes a TypeScript (23 MB) that only development packages need, an optional peer of a production package.
  const kind = development ? ['--include=dev'] : ['--omit=dev', '--omit=peer'];
  // `npm ci` would first remove what is installed.
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
  // The install script linked its binary to node_modules/node/bin; the rest is 70 MB of headers.
  if (status === 0)
    rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true });
  return { status, errors, unreachable };
}

function pinnedNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  return refuse(
    `The package "node" has no binary (${pinned}): npm did not run its install script.\n` +
      'Run `npm rebuild node --ignore-scripts=false`, or use Node 24 or newer.',
  );
}

/**
 * Runs a command and forwards signals; a Ctrl-C in a terminal reaches both, harmlessly. Resolves to its exit status, 128 + n after signal
 * n.
 */
function run(command, args, { onLine, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => onLine(line, child));
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const parent = process.ppid;
    // A killed npm forwards no signal, nor one that kills the shell in between. This process then gets another parent.
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
