// Runs before packing: compiles the package, and the modules of the service that it shares, to `dist`.

import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

const smaller = { module: true, compress: { toplevel: true, passes: 3 }, mangle: { toplevel: true } };
for (const name of globSync('**/*.js', { cwd: dist })) {
  const file = join(dist, name);
  writeFileSync(file, minifySync(readFileSync(file, 'utf8'), smaller).code);
}
chmodSync(join(dist, 'packages', 'client', 'src', 'bin.js'), 0o755);
