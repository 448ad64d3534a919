import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallHeap } from './procfile.ts';

/**
 * What processes begin with, and what they load when it is first asked for; with the flags that V8 compiles them under. It takes what was
 * compiled under the same flags alone, where sizes of the heap do not count.
 */
const entries: readonly { flags: readonly string[]; files: readonly string[] }[] = [
  { flags: [smallHeap], files: ['src/server.ts', 'src/web.ts', 'workers/all.ts'] },
  // Workers that run apart have the modules of `all.ts`.
  { flags: [], files: ['src/operator.ts', 'workers/all.ts', 'src/operator/queue-board.ts'] },
];

/** Milliseconds that the modules of one entry may take, on the slowest of machines. */
const patience = 60_000;

/**
 * Has Node compile the modules of all processes into its compile cache, once for each state of the code. A process that finds one of them
 * missing loads Node's TypeScript stripper, some 16 MB, which it keeps as long as it runs.
 * @param root folder of the project
 * @param folder of the cache (`NODE_COMPILE_CACHE`)
 * @param signal ends it early: what is missing is compiled when it is loaded
 * @param patienceMs after so many milliseconds it goes on without an entry, and tries again at the next call
 */
export async function fillCompileCache(
  root: string,
  folder: string,
  signal?: AbortSignal,
  patienceMs = patience,
): Promise<void> {
  const stamp = join(folder, 'filled');
  const code = digestOfCode(root);
  if (readIfThere(stamp) === code) return;
  // One after the other: most modules are those of the first.
  let ended = true;
  for (const { flags, files } of entries)
    for (const file of files)
      ended = (await load(root, [...flags, file], folder, patienceMs, signal)) && ended;
  if (signal?.aborted === true || !ended) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, code);
}

/** Loads the modules of a file, the last of the arguments. Without any setting what they make up ends before it begins. Resolves to whether it ended by itself. */
function load(
  root: string,
  entry: readonly string[],
  folder: string,
  timeout: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { PATH = '' } = process.env;
  const preloaded = [join(import.meta.dirname, 'compile-only.mjs'), './src/telemetry/start.ts'];
  const imports = preloaded.flatMap((file) => ['--import', file]);
  const child = spawn(process.execPath, [...imports, ...entry], {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE: folder },
    stdio: 'ignore',
    ...{ timeout, killSignal: 'SIGKILL' },
    ...(signal === undefined ? {} : { signal }),
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(!child.killed));
  });
}

function digestOfCode(root: string): string {
  const hash = createHash('sha256')
    .update(process.version)
    .update(readFileSync(join(root, 'package-lock.json')));
  for (const file of globSync(['src/**/*.{ts,mjs}', 'workers/*.ts', 'migrations/*.ts'], {
    cwd: root,
  }).sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
