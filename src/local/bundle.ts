import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { digestOfCode } from './code-digest.mjs';
import { compileAll, compileCacheIn, entries, load, readIfThere } from './compile-cache.ts';
import type { ProcfileEntry } from './procfile.ts';

/**
 * Bundles the code of `npm start` and of its processes, with that of packages, once for each state of the code, and has Node compile it:
 * a process reads some 15 files in place of 1,100 to 1,900, which takes half the time (docs/decisions/0060-bundled-start.md).
 * @param root folder of the project
 * @param dataDir holds the bundle and Node's compile cache
 * @param signal ends the compiling early: what is missing is compiled when it is loaded
 * @returns the folder of the bundle, in which the code of `src/x.ts` is `src/x.mjs`
 * @throws Error where it cannot be built or stored
 */
export async function bundle(root: string, dataDir: string, signal?: AbortSignal): Promise<string> {
  const folder = join(dataDir, 'bundle');
  const code = digestOfCode(root);
  if (readIfThere(stampIn(folder)) === code) return folder;
  rmSync(folder, { recursive: true, force: true });
  await build(root, folder);
  const bundled = { root, codeOf: (file: string) => join(folder, bundledFile(file)) };
  const cache = compileCacheIn(dataDir);
  const compiled =
    (await compileAll(bundled, cache, signal)) &&
    // Once it is loaded it refuses an option that it does not have.
    (await load(bundled, [bundled.codeOf(launcher), '--none'], cache, signal));
  if (compiled) writeFileSync(stampIn(folder), code);
  return folder;
}

/** A Procfile's entry with the code of a bundle. */
export function fromBundle(entry: ProcfileEntry, folder: string): ProcfileEntry {
  const command = entry.command.replace(/(?<= )(?:\.\/)?((?:src|workers)\/\S+\.ts)/g, (_, file: string) =>
    quoted(join(folder, bundledFile(file))),
  );
  return { ...entry, command };
}

const launcher = 'src/local/start.ts';

const bundledFile = (file: string) => file.replace(/\.ts$/, '.mjs');

/** Holds the digest of the code that was bundled and compiled; `bootstrap.mjs` reads it too. */
const stampIn = (folder: string) => join(folder, 'complete');

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Drivers of other databases, which Knex names and nobody installs. */
const otherDrivers = [
  ...['better-sqlite3', 'mariadb', 'mariadb/*', 'mysql', 'mysql2', 'oracledb', 'pg-native'],
  ...['pg-query-stream', 'sqlite3', 'tedious'],
];

async function build(root: string, folder: string): Promise<void> {
  const { build, stop } = await import('esbuild');
  const files = [...entries.flatMap((entry) => entry.files), 'src/telemetry/start.ts', launcher];
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [...new Set(files)].map((file) => ({ in: file, out: file.replace(/\.ts$/, '') })),
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
      // By this name Node knows them for modules without reading them.
      outExtension: { '.js': '.mjs' },
      ...{ outdir: folder, logLevel: 'silent', legalComments: 'none' },
      external: ['*.node', 'esbuild', ...otherDrivers],
      // What CommonJS requires of Node.
      banner: {
        js: "import { createRequire as bundleRequire } from 'node:module';const require = bundleRequire(import.meta.url);",
      },
      define: Object.fromEntries([...places.keys()].map((text) => [text, nameOf(text)])),
      plugins: [placed],
    });
  } finally {
    await stop();
  }
}

/** Expressions for the location of a module, each with its value for the source file. */
const places = new Map<string, (path: string, text: string) => string>([
  ['__dirname', (path) => JSON.stringify(dirname(path))],
  ['__filename', (path) => JSON.stringify(path)],
  ['import.meta.dirname', (path) => JSON.stringify(dirname(path))],
  ['import.meta.url', (path) => JSON.stringify(pathToFileURL(path).href)],
  ['import.meta.main', () => 'false'],
  ['import.meta.resolve', (_, text) => `(name) => (${JSON.stringify(resolvedIn(text))})[name]`],
]);

/** The constant that stands for such an expression in a bundled module. */
const nameOf = (place: string) => `bundled_${place.replaceAll('.', '_')}`;

/** The URLs of the package files that a module resolves. */
function resolvedIn(text: string): Record<string, string> {
  const names = [...text.matchAll(/import\.meta\.resolve\(\s*'([^']+)'/g)].map(([, name]) => name as string);
  return Object.fromEntries(names.map((name) => [name, import.meta.resolve(name)]));
}

const startsStrict = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*(['"])use strict\1/;

/** Declares these constants in the first line of each module that needs them. */
const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|[cm]?js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const asked = [...places].filter(([place]) => text.includes(place));
      if (asked.length === 0) return undefined;
      const told = asked.map(([place, answer]) => `${nameOf(place)} = ${answer(path, text)}`).join(', ');
      const strict = startsStrict.test(text) ? "'use strict';" : '';
      return {
        contents: `${strict}const ${told};${text}`,
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      };
    });
  },
};
