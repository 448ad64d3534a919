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
import { dirname, join } from 'node:path';
import { expect } from 'chai';

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
}

const bootstrap = join(import.meta.dirname, '../../src/local/bootstrap.mjs');

describe('bootstrap', () => {
  let project: string;
  const service = 'src/main.ts';
  const test = 'test/main.ts';
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/kept': { version: '2.0.0', integrity: 'sha512-a' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
    'node_modules/for-tests': { version: '3.0.0', integrity: 'sha512-t', dev: true },
  };
  const production = { 'node_modules/kept': { version: '2.0.0', integrity: 'sha512-a' } };
  const all = { ...production, 'node_modules/for-tests': wanted['node_modules/for-tests'] };

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'bootstrap-'));
    mkdirSync(join(project, 'src/local'), { recursive: true });
    copyFileSync(bootstrap, join(project, 'src/local/bootstrap.mjs'));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    // A fake npm: records its arguments and "installs".
    writeFileSync(
      join(project, 'npm-cli.js'),
      `require('node:fs').writeFileSync(${JSON.stringify(join(project, 'called'))}, process.argv.slice(2).join(' '));
       process.exit(Number(process.env.NPM_STATUS ?? 0));`,
    );
    for (const file of [service, test]) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), 'process.exit(Number(process.argv[2] as string));');
    }
  });

  afterEach(() => rmSync(project, { recursive: true }));

  function installed(packages: Record<string, LockedPackage>): void {
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    rmSync(join(project, 'node_modules/.bin/node'), { force: true });
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

  function run(file?: string, extra: NodeJS.ProcessEnv = {}) {
    const given = file === undefined ? [] : [file, '7'];
    return spawnSync(process.execPath, ['src/local/bootstrap.mjs', ...given], {
      cwd: project,
      env: environment(extra),
      encoding: 'utf8',
    });
  }

  const npmCall = () => {
    const file = join(project, 'called');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };

  it('installs nothing if the packages match package-lock.json, and returns the exit status', () => {
    installed(all);
    expect(run(test).status).to.equal(7);
    expect(npmCall()).to.equal(undefined);
  });

  it("reports an unreachable registry at once, instead of npm's errors", () => {
    writeFileSync(
      join(project, 'npm-cli.js'),
      `for (let failed = 0; failed < 5; failed += 1)
         process.stderr.write('npm http fetch GET https://registry.npmjs.org/kept attempt 1 failed with EAI_AGAIN\\n');
       setTimeout(() => {}, 60_000);`,
    );
    const { status, stderr } = run(service);
    expect(stderr).to.equal(
      'Cannot reach the npm registry (EAI_AGAIN), from which packages are installed once. Try again when the network is back.\n',
    );
    expect(status).to.equal(1);
  });

  it('continues if only some requests to the registry fail', () => {
    writeFileSync(
      join(project, 'npm-cli.js'),
      `process.stderr.write('npm http fetch GET 200 https://registry.npmjs.org/kept 12ms (cache miss)\\n');
       for (let failed = 0; failed < 9; failed += 1)
         process.stderr.write('npm http fetch GET https://registry.npmjs.org/for-tests attempt 1 failed with EAI_AGAIN\\n');`,
    );
    expect(run(service).status).to.equal(7);
  });

  it('installs only production packages if the service is started first', () => {
    expect(run(service).status).to.equal(7);
    expect(npmCall()).to.match(/^ci --omit=dev --omit=peer /);
  });

  it('installs all packages if the tests are run first', () => {
    expect(run(test).status).to.equal(7);
    expect(npmCall()).to.match(/^ci --include=dev /);
  });

  it('installs all packages and runs nothing if no file is given', () => {
    expect(run().status).to.equal(0);
    expect(npmCall()).to.match(/^ci --include=dev /);
  });

  it('starts the service without installing, with or without the packages of the tests', () => {
    installed(production);
    expect(run(service).status).to.equal(7);
    installed(all);
    expect(run(service).status).to.equal(7);
    expect(npmCall()).to.equal(undefined);
  });

  it('adds the packages of the tests to those of the service, without removing them first', () => {
    installed(production);
    expect(run(test).status).to.equal(7);
    expect(npmCall()).to.match(/^install --no-save --include=dev /);
  });

  it('keeps the packages of the tests when it renews those of the service', () => {
    installed({ ...all, 'node_modules/kept': { version: '1.9.0', integrity: 'sha512-a' } });
    expect(run(service).status).to.equal(7);
    expect(npmCall()).to.match(/^install --no-save --include=dev /);
  });

  for (const [what, packages] of Object.entries<Record<string, LockedPackage>>({
    'present in another version': { 'node_modules/kept': { version: '1.9.0', integrity: 'sha512-a' } },
    'present with other contents': { 'node_modules/kept': { version: '2.0.0', integrity: 'sha512-b' } },
    missing: {},
  })) {
    it(`installs if a package is ${what}`, () => {
      installed(packages);
      expect(run(service).status).to.equal(7);
      expect(npmCall()).to.match(/^install --no-save --omit=dev --omit=peer /);
    });
  }

  it('stops with the status of a failed install', () => {
    const { status, stderr } = run(service, { NPM_STATUS: '5' });
    expect(status).to.equal(5);
    expect(stderr).to.include('npm ended with status 5');
  });

  it('forwards a signal and waits for the end', async () => {
    installed(production);
    writeFileSync(
      join(project, service),
      `process.on('SIGTERM', () => setTimeout(() => { process.stdout.write('left'); process.exit(0); }, 100));
       setInterval(() => {}, 1000); process.stdout.write('ready');`,
    );
    const child = spawn(process.execPath, ['src/local/bootstrap.mjs', service], {
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
  it('lists every optional package for every platform, as npm ci requires', () => {
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
