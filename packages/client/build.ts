// Runs before packing: compiles the package, and the modules of the service that it shares, to `dist`.

import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { minifySync } from '@swc/core';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const compiler = resolve(here, '..', '..', 'node_modules', 'typescript-7', 'bin', 'tsc');

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', here], { stdio: 'inherit' });

// Lists of teams are a third of the size.
const monitor = join(dist, 'src', 'monitor');
renameSync(join(monitor, 'plain-pair.js'), join(monitor, 'pair.js'));
rmSync(join(dist, 'src', 'games'), { recursive: true });

// The compiler also writes modules of which only types are used.
const used = new Set<string>();
const use = (file: string): void => {
  if (used.has(file)) return;
  used.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?["'](\.[^"']+)["']/g))
    use(join(dirname(file), name!));
};
for (const name of ['index', 'node', 'bin']) use(join(dist, 'packages', 'client', 'src', `${name}.js`));
for (const name of globSync('**/*.js', { cwd: dist }))
  if (!used.has(join(dist, name))) rmSync(join(dist, name));

// The API reference takes the descriptions of fields; no program does.
for (const name of ['bodies', 'prices', 'receipt']) {
  const file = join(dist, 'src', 'proof', `${name}.js`);
  const description = /(,\s*|description:\s*)(['"])(?:(?!\2)[^\\\n]|\\.)*\.\2(?=,?\s*[)}])/g;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(description, "$1''"));
}

const smaller = {
  module: true,
  ecma: 2020,
  compress: { toplevel: true, passes: 5, unsafe_arrows: true, unsafe_methods: true, ecma: 2020 },
  mangle: { toplevel: true },
} as const;
for (const name of globSync('**/*.js', { cwd: dist })) {
  const file = join(dist, name);
  writeFileSync(file, minifySync(readFileSync(file, 'utf8'), smaller).code);
}
chmodSync(join(dist, 'packages', 'client', 'src', 'bin.js'), 0o755);
