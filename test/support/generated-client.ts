import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const modules = resolve(import.meta.dirname, '..', '..', 'node_modules');

/**
 * Returns the TypeScript types that openapi-typescript generates for a document. It needs the compiler's JavaScript API, which TypeScript
 * 7 lacks, so it gets the one of ts-morph.
 */
export async function generatedTypes(document: object): Promise<string> {
  const api = import.meta.resolve('@ts-morph/common');
  const source = `import common from ${JSON.stringify(api)}; export default common.ts;`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
  try {
    const { default: openapiTypes, astToString } = await import('openapi-typescript');
    return astToString(await openapiTypes(structuredClone(document) as never));
  } finally {
    hooks.deregister();
  }
}

/** A program that uses generated types. It is compiled in strict mode, then imported. */
export interface Program {
  /** @returns the compiler's errors; empty if there are none */
  compile(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: what a program exports is its own affair
  load(): Promise<any>;
  remove(): Promise<void>;
}

/** @param source a module that imports `./api.d.ts` */
export async function programWith(types: string, source: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  const file = join(folder, 'use.ts');
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  await Promise.all([
    symlink(modules, join(folder, 'node_modules')),
    writeFile(join(folder, 'package.json'), '{"type":"module"}'),
    writeFile(join(folder, 'api.d.ts'), types),
    writeFile(file, source),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] })),
  ]);
  return {
    async compile() {
      const tsc = join(modules, 'typescript-7', 'bin', 'tsc');
      return promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
        () => '',
        (error: { stdout: string; message: string }) => error.stdout || error.message,
      );
    },
    load: () => import(pathToFileURL(file).href),
    remove: () => rm(folder, { recursive: true }),
  };
}
