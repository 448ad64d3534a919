import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { bundle, fromBundle } from '../../src/local/bundle.ts';
import { compileCacheIn } from '../../src/local/compile-cache.ts';
import { parseProcfile, smallHeap } from '../../src/local/procfile.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe('the bundle of npm start', function () {
  this.timeout(180_000);
  const data = withFolder();
  const database = withDatabase();
  const redis = withRedis();
  let folder: string;
  const running: ChildProcess[] = [];

  before(async () => {
    folder = await bundle(root, data.path());
  });

  afterEach(async () => {
    for (const child of running.splice(0)) {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
    }
  });

  /** Runs a process of the Procfile from the bundle. @returns where it listens */
  async function start(name: 'web' | 'operator'): Promise<string> {
    const [entry] = parseProcfile(`${name}: node --import ./src/telemetry/start.ts src/${name}.ts`);
    const child = spawn('/bin/sh', ['-c', `exec ${fromBundle(entry!, folder).command}`], {
      cwd: root,
      env: {
        ...baseEnvironment,
        DATABASE_URL: asLogin(database.url, name),
        REDIS_URL: redis.url,
        HOST: '127.0.0.1',
        WEB_CONCURRENCY: '2',
        ...{ PORT: '0', OPERATOR_PORT: '0', OPERATOR_TOKEN: 'a token for tests only' },
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    for await (const line of createInterface({ input: child.stdout! })) {
      const { msg, address } = JSON.parse(line);
      if (msg !== 'listening') continue;
      child.stdout?.resume();
      return `http://127.0.0.1:${address.port}`;
    }
    throw new Error(`${name} ended before it listened`);
  }

  it('serves pages, boards, cards, style sheets, scripts and Bull Board as the sources do', async () => {
    const site = await start('web');
    const types = {
      '/': 'text/html',
      '/api/leaderboard': 'application/json',
      '/leaderboard/card.png': 'image/png',
      '/docs': 'text/html',
    };
    const page = await (await fetch(site)).text();
    const [sheet, script] = ['css', 'js'].map((end) => page.match(`/assets/[^"]+\\.${end}`)?.[0]);
    for (const [path, type] of Object.entries({
      ...types,
      [sheet!]: 'text/css',
      [script!]: 'text/javascript',
    })) {
      const response = await fetch(site + path);
      await response.arrayBuffer();
      expect([response.status, response.headers.get('content-type')?.split(';')[0]], path).to.deep.equal([
        200,
        type,
      ]);
    }
    const operator = await start('operator');
    const authorization = `Basic ${btoa('any:a token for tests only')}`;
    const board = await fetch(`${operator}/queues`, { headers: { authorization } });
    expect(await board.text()).to.match(/<title>.*<\/title>/);
    const queues = await fetch(`${operator}/queues/api/queues`, { headers: { authorization } });
    expect(((await queues.json()) as { queues: unknown[] }).queues).not.to.have.length(0);
  });

  it('runs every process of the service, and the launcher, without what strips types', () => {
    const tells =
      'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.some((name)=>name.includes("amaro"))))';
    const starts: [string, string[], RegExp][] = [
      ['src/web', [smallHeap], /DATABASE_URL is missing/],
      ['src/operator', [], /DATABASE_URL is missing/],
      ['workers/all', [smallHeap], /DATABASE_URL is missing/],
      ['src/local/start', [], /Unknown option '--none'/],
    ];
    for (const [file, flags, message] of starts) {
      const imports = [join(folder, 'src/telemetry/start.mjs'), tells, './src/local/compile-only.mjs'];
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [...flags, ...imports.flatMap((name) => ['--import', name]), join(folder, `${file}.mjs`), '--none'],
        {
          cwd: root,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCacheIn(data.path()) },
        },
      );
      expect(stderr, file).to.match(message);
      expect(stdout.trim(), file).to.equal('false');
    }
  });

  it('is built once for each state of the code', async () => {
    const built = () => statSync(join(folder, 'complete')).mtimeMs;
    const before = built();
    expect(await bundle(root, data.path())).to.equal(folder);
    expect(built()).to.equal(before);
  });

  it('keeps modules where they were: beside their files, and beside those of packages', async () => {
    const project = join(data.path(), 'a project');
    const files = {
      'package-lock.json': '{}',
      'node_modules/old/package.json': '{ "name": "old" }',
      'node_modules/old/index.js': `'use strict'; exports.place = __dirname; exports.isStrict = (function () { return this === undefined; })();`,
      'src/web.ts': `
        import old from 'old';
        import { place } from './rooms/room.ts';
        console.log(JSON.stringify({ old, place, main: import.meta.main, text: 'import.meta.dirname' }));`,
      'src/rooms/room.ts': 'export const place: string = import.meta.dirname;',
      ...Object.fromEntries(
        ['src/server.ts', 'src/operator.ts', 'src/operator/queue-board.ts', 'workers/all.ts'].map((file) => [
          file,
          '',
        ]),
      ),
      ...{ 'src/telemetry/start.ts': '', 'src/local/start.ts': '', 'migrations/names.ts': '' },
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), text);
    }
    const built = await bundle(project, join(project, "it's data"));
    const [entry] = parseProcfile('web: node src/web.ts');
    const { stdout } = spawnSync('/bin/sh', ['-c', fromBundle(entry!, built).command], {
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).to.deep.equal({
      old: { place: join(project, 'node_modules/old'), isStrict: true },
      place: join(project, 'src/rooms'),
      main: false,
      text: 'import.meta.dirname',
    });
  });

  it('refuses code that cannot be bundled, and leaves no bundle behind', async () => {
    const project = join(data.path(), 'broken');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'package-lock.json'), '{}');
    for (const room of ['workers', 'migrations']) mkdirSync(join(project, room));
    const failed = await bundle(project, project).catch((error: Error) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(() => statSync(join(project, 'bundle'))).to.throw('ENOENT');
  });
});
