import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { discardPostgres } from '../../src/local/postgres.ts';
import { closeAfter } from '../support/cleanup.ts';
import { withFolder } from '../support/folders.ts';
import { ownRedis } from '../support/own-redis.ts';
import { until } from '../support/until.ts';
import { textOf } from './documents.ts';

const root = resolve(import.meta.dirname, '..', '..');
/** Everything that README.md tells a reader to paste, by the heading above it. */
const commands = new Map(
  [...textOf('README.md').matchAll(/^#+ ([^\n]+)\n(?:(?!^#).)*?^```sh\n(.*?)^```/gms)].map(
    ([, heading, block]) => [heading as string, block as string],
  ),
);

describe('the commands of README.md', () => {
  const folder = withFolder();
  let shell: ChildProcess;
  let site: string;
  /** README.md as it reads where this test runs: its ports, its data folder, and a receiver that needs no name server. */
  let pasted: (heading: string) => Promise<string>;

  before(async function () {
    this.timeout(300_000);
    // Under root, PostgreSQL's own user must get in.
    chmodSync(folder.path(), 0o711);
    const redis = await ownRedis();
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    site = `http://localhost:${port}`;
    const environment = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      DATA_DIR: folder.path(),
      DEMO: '0',
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      REDIS_URL: redis.url,
      WEBHOOK_ALLOW_HOSTS: '127.0.0.1:8443',
    };
    const start = spawn('bash', ['-c', `exec ${commands.get('Start')}`], { cwd: root, env: environment });
    const ended = once(start, 'exit');
    closeAfter(this, async () => {
      start.kill('SIGINT');
      await ended;
      await redis.close();
      discardPostgres(folder.path());
    });
    const said: string[] = [];
    for (const stream of [start.stdout, start.stderr])
      createInterface(stream).on('line', (line) => said.push(line));
    await Promise.race([
      until(() => said.some((line) => line.startsWith('  Stop ')), 240_000),
      ended.then(() => expect.fail(said.join('\n'))),
    ]);

    shell = spawn('bash', [], { cwd: root, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    closeAfter(this, async () => {
      shell.stdin?.end();
      await once(shell, 'exit');
    });
    pasted = async (heading) => {
      const block = commands
        .get(heading)!
        .replaceAll('http://localhost:3000', site)
        .replaceAll('127.0.0.1:3001', `127.0.0.1:${operatorPort}`)
        .replaceAll('.data/', `${folder.path()}/`)
        .replaceAll('https://example.com/', 'https://127.0.0.1:8443/');
      let output = '';
      const done = new Promise<string>((settle) => {
        const read = (chunk: Buffer) => {
          output += chunk;
          const [, text] = /^(.*)\n== 0\n$/s.exec(output) ?? [];
          if (text === undefined && !/\n== \d+\n$/.test(output)) return;
          shell.stdout?.off('data', read);
          settle(text ?? output);
        };
        shell.stdout?.on('data', read);
      });
      shell.stdin?.write(`{ ${block}\n} < /dev/null 2>&1; printf '\\n== %s\\n' $?\n`);
      return done;
    };
  });

  it('name five things to try, and the tests', () => {
    expect([...commands.keys()]).to.deep.equal([
      'Start',
      'Read a board',
      'Post a pick',
      'Verify a receipt',
      'Subscribe a webhook',
      'Import a sheet',
      'Test',
    ]);
  });

  it('read a board', async () => {
    const board = JSON.parse(await pasted('Read a board'));
    expect(board).to.deep.include({ query: { window: '30d', limit: 3, provenance: 'all' }, cappers: [] });
  });

  it('post a pick', async () => {
    const answers = await pasted('Post a pick');
    expect(answers.match(/"outcome":"added"/g)).to.have.length(3);
    expect(answers).to.include('"acknowledgement":');
  });

  it('verify its receipt', async () => {
    await until(async () => (await asked('/api/cappers/ada/picks')).count === 1);
    const { picks } = (await asked('/api/cappers/ada/picks')) as { picks: { pickUuid: string }[] };
    const pickUuid = picks[0]?.pickUuid;
    await until(async () => (await asked(`/api/picks/${pickUuid}/receipt`)).hashStatus === 'sealed');
    expect(await pasted('Verify a receipt')).to.match(/^In the log: +Sealed /m);
  });

  it('subscribe a webhook', async () => {
    const { secret, status } = JSON.parse(await pasted('Subscribe a webhook'));
    expect(secret).to.match(/^[0-9a-f]{64}$/);
    expect(status).to.equal('active');
  });

  it('import a sheet', async () => {
    expect(await pasted('Import a sheet')).to.include('picks: 1 added');
    await until(async () => (await asked('/api/cappers/ada/picks')).count === 2);
  });

  async function asked(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(site + path);
    return (await response.json()) as Record<string, unknown>;
  }
});
