import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
}

const bootstrap = join(import.meta.dirname, '../../src/local/bootstrap.mjs');

describe('bootstrap', () => {
  let project: string;
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/kept': { version: '2.0.0', integrity: 'sha512-a' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  };

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'bootstrap-'));
    mkdirSync(join(project, 'src/local'), { recursive: true });
    copyFileSync(bootstrap, join(project, 'src/local/bootstrap.mjs'));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    // In npm's place: notes how it was called and "installs".
    writeFileSync(
      join(project, 'npm-cli.js'),
      `require('node:fs').writeFileSync(${JSON.stringify(join(project, 'called'))}, process.argv.slice(2).join(' '));
       process.exit(Number(process.env.NPM_STATUS ?? 0));`,
    );
    writeFileSync(join(project, 'main.ts'), 'process.exit(Number(process.argv[2] as string));');
  });

  afterEach(() => rmSync(project, { recursive: true }));

  function installed(packages: Record<string, LockedPackage>): void {
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'));
    writeFileSync(join(project, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  }

  function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      npm_execpath: join(project, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      ...extra,
    };
  }

  function run(extra: NodeJS.ProcessEnv = {}) {
    return spawnSync(process.execPath, ['src/local/bootstrap.mjs', 'main.ts', '7'], {
      cwd: project,
      env: environment(extra),
      encoding: 'utf8',
    });
  }

  const npmCall = () => {
    const file = join(project, 'called');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };

  it('installs nothing where the packages are those of package-lock.json, and hands on the exit status', () => {
    installed({ 'node_modules/kept': { version: '2.0.0', integrity: 'sha512-a' } });
    expect(run().status).to.equal(7);
    expect(npmCall()).to.equal(undefined);
  });

  it('installs where there are none', () => {
    expect(run().status).to.equal(7);
    expect(npmCall()).to.match(/^ci --include=dev /);
  });

  for (const [what, packages] of Object.entries<Record<string, LockedPackage>>({
    'of another version': { 'node_modules/kept': { version: '1.9.0', integrity: 'sha512-a' } },
    'with other contents': { 'node_modules/kept': { version: '2.0.0', integrity: 'sha512-b' } },
    missing: {},
  })) {
    it(`installs where a package is ${what}`, () => {
      installed(packages);
      expect(run().status).to.equal(7);
      expect(npmCall()).to.match(/^ci /);
    });
  }

  it('stops with the status of an install that failed', () => {
    const { status, stderr } = run({ NPM_STATUS: '5' });
    expect(status).to.equal(5);
    expect(stderr).to.include('npm ci ended with status 5');
  });

  it('passes a signal on and waits for the end', async () => {
    installed({ 'node_modules/kept': { version: '2.0.0', integrity: 'sha512-a' } });
    writeFileSync(
      join(project, 'main.ts'),
      `process.on('SIGTERM', () => setTimeout(() => { process.stdout.write('left'); process.exit(0); }, 100));
       setInterval(() => {}, 1000); process.stdout.write('ready');`,
    );
    const child = spawn(process.execPath, ['src/local/bootstrap.mjs', 'main.ts'], {
      cwd: project,
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [status] = await once(child, 'exit');
    expect(status).to.equal(0);
    expect(output).to.equal('readyleft');
  });
});

describe('package-lock.json', () => {
  it('names every optional package, also those of other platforms, without which npm ci refuses to install', () => {
    const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
    const packages: Record<string, { optionalDependencies?: Record<string, string> }> = lock.packages;
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages),
      ),
    );
    expect(missing).to.deep.equal([]);
  });
});
