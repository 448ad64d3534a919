import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfCode } from './code-digest.mjs';
import { smallHeap } from './procfile.ts';

/**
 * What processes begin with, and what they load when it is first asked for; with the flags that V8 compiles them under. It takes what was
 * compiled under the same flags alone, where sizes of the heap do not count.
 */
export const entries: readonly { flags: readonly string[]; files: readonly string[] }[] = [
  { flags: [smallHeap], files: ['src/server.ts', 'src/web.ts', 'workers/all.ts'] },
  // Workers that run apart have the modules of `all.ts`.
  { flags: [], files: ['src/operator.ts', 'workers/all.ts', 'src/operator/queue-board.ts'] },
];

/** Node's compile cache (`NODE_COMPILE_CACHE`) of the processes of a data folder. */
export const compileCacheIn = (dataDir: string) => join(dataDir, 'compile-cache');

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
  if (!(await compileAll({ root, codeOf: (file) => file }, folder, signal, patienceMs))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, code);
}

/** Code that can be run: the folder in which it runs, and the file that is run for one of the sources, such as `src/web.ts`. */
interface Code {
  root: string;
  codeOf(file: string): string;
}

/** Loads all that processes load, under a compile cache. @returns whether every process ended by itself */
export async function compileAll(
  code: Code,
  folder: string,
  signal?: AbortSignal,
  patienceMs = patience,
): Promise<boolean> {
  // One after the other: most modules are those of the first.
  let ended = true;
  for (const { flags, files } of entries)
    for (const file of files)
      ended = (await load(code, [...flags, code.codeOf(file)], folder, signal, patienceMs)) && ended;
  return ended && signal?.aborted !== true;
}

/**
 * Loads the modules of a file under a compile cache. Without any setting what they make up ends before it begins.
 * @param args flags of Node, the file, and its arguments
 * @returns whether it ended by itself
 */
export function load(
  { root, codeOf }: Code,
  args: readonly string[],
  folder: string,
  signal?: AbortSignal,
  timeout = patience,
): Promise<boolean> {
  const { PATH = '' } = process.env;
  const preloaded = [join(import.meta.dirname, 'compile-only.mjs'), codeOf('./src/telemetry/start.ts')];
  const imports = preloaded.flatMap((file) => ['--import', file]);
  const child = spawn(process.execPath, [...imports, ...args], {
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

/** The text of a file; undefined where it cannot be read. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
