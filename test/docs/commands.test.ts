import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { closeAfter } from '../support/cleanup.ts';
import { discardPostgres } from '../support/discard-postgres.ts';
import { withFolder } from '../support/folders.ts';
import { itInLong } from '../support/long.ts';
import { ownRedis } from '../support/own-redis.ts';
import { commandsOf, openTerminal, surroundings, type Terminal } from '../support/pasted.ts';
import { until } from '../support/until.ts';

const readme = commandsOf('README.md');
const operations = commandsOf('docs/operations.md');

/** Of another player than the README's, so that it is new. */
const anotherPick = readme.get('Post a pick')![1]!.replace('Rory Finch', 'Robin Finch');

/** One service runs the commands of both documents, one after the other, because each start of a new one takes ten seconds of processor time. */
describe('the commands of', () => {
  const folder = withFolder();
  const data = () => join(folder.path(), 'data');
  let site: string;
  /** The terminals of the service and of a second one. */
  let service: Terminal;
  let other: Terminal;

  const block = (heading: string, at = 0) => operations.get(heading)![at]!;
  const start = () => service.start('DEMO=0 npm start');

  before(async function () {
    this.timeout(300_000);
    // If run by root, PostgreSQL's own user needs access.
    chmodSync(folder.path(), 0o711);
    mkdirSync(data(), { mode: 0o711 });
    const redis = await ownRedis();
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    site = `http://localhost:${port}`;
    const around = {
      environment: surroundings({
        DATA_DIR: data(),
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        REDIS_URL: redis.url,
        WEBHOOK_ALLOW_HOSTS: '127.0.0.1:8443',
      }),
      replaced: {
        'http://localhost:3000': site,
        '127.0.0.1:3001': `127.0.0.1:${operatorPort}`,
        // The order matters: the shorter name is part of the others.
        '.data-damaged': `${data()}-damaged`,
        '.data': data(),
        '/backup': join(folder.path(), 'backup'),
        // A receiver that needs no name server.
        'https://example.com/': 'https://127.0.0.1:8443/',
      },
    };
    [service, other] = [openTerminal(around), openTerminal(around)];
    closeAfter(this, async () => {
      await Promise.all([service.close(), other.close()]);
      await redis.close();
      for (const each of [data(), `${data()}-damaged`]) if (existsSync(each)) discardPostgres(each);
    });
    await service.start(readme.get('Start')!.join('').replace('npm start', 'DEMO=0 npm start'));
  });

  describe('README.md', () => {
    it('cover five things to try, and the tests', () => {
      expect([...readme.keys()]).to.deep.equal([
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
      const board = JSON.parse(await shown('Read a board'));
      expect(board).to.deep.include({ query: { window: '30d', limit: 3, provenance: 'all' }, cappers: [] });
    });

    it('post a pick', async () => {
      const answers = await shown('Post a pick');
      expect(answers.match(/"outcome":"added"/g)).to.have.length(4);
      expect(answers).to.include('"acknowledgement":');
    });

    it('verify its receipt', async () => {
      await until(async () => (await asked('/api/cappers/ada/picks')).count === 2);
      const { picks } = (await asked('/api/cappers/ada/picks')) as { picks: { pickUuid: string }[] };
      const pickUuid = picks[0]?.pickUuid;
      await until(async () => (await asked(`/api/picks/${pickUuid}/receipt`)).hashStatus === 'sealed');
      expect(await shown('Verify a receipt')).to.match(/^In the log: +Sealed /m);
    });

    it('subscribe a webhook', async () => {
      const { secret, status } = JSON.parse(await shown('Subscribe a webhook'));
      expect(secret).to.match(/^[0-9a-f]{64}$/);
      expect(status).to.equal('active');
    });

    it('import a sheet', async () => {
      expect(await shown('Import a sheet')).to.include('picks: 1 added');
      await until(async () => {
        const { picks } = (await asked('/api/cappers/ada/picks')) as { picks: { result: string | null }[] };
        return picks.length === 3 && picks.some(({ result }) => result === 'win');
      });
    });

    async function asked(path: string): Promise<Record<string, unknown>> {
      const response = await fetch(site + path);
      return (await response.json()) as Record<string, unknown>;
    }

    /** Pastes the blocks under a heading, and returns their output. */
    const shown = async (heading: string) => (await other.paste(readme.get(heading)!.join(''))).output;
  });

  describe('docs/operations.md', () => {
    // A pick of the README's commands.
    before(() => untilPublished(1));

    const text = async (path: string) => (await fetch(site + path)).text();

    /** Resolves once at least this many entries are published. */
    const untilPublished = (entries: number) =>
      until(async () => Number((await text('/ledger/checkpoint')).split('\n')[1]) >= entries);

    async function pasted(heading: string, at = 0): Promise<string> {
      const { output, status } = await other.paste(block(heading, at));
      expect(status, output).to.equal(0);
      return output;
    }

    const audit = () => other.paste(block('Restore the data folder', 1));

    async function expectSound(): Promise<void> {
      const { output, status } = await audit();
      expect(output).to.match(/ match what was sealed and signed\.\n/);
      expect(status, output).to.equal(0);
    }

    /** Replaces the current data with the backup, and starts the stores. */
    async function restore(): Promise<void> {
      await service.interrupt();
      rmSync(`${data()}-damaged`, { recursive: true, force: true });
      await service.start(block('Restore the data folder'));
    }

    itInLong('rotate the signing key', async () => {
      const before = await text('/ledger/key');
      expect(await pasted('Rotate the signing key')).to.include('Announced: ');
      await service.interrupt();
      const blocks = block('Rotate the signing key', 1).replace(/^DEMO=0 npm start\n/m, '');
      expect((await other.paste(blocks)).status).to.equal(0);
      await start();
      await until(async () => (await text('/ledger/key')) !== before);
      await untilPublished(2);
      await expectSound();
    });

    itInLong('copy the data folder and restore it completely', async () => {
      await service.interrupt();
      await pasted('Copy the data folder');
      await restore();
      await expectSound();
      await service.interrupt();
      await start();
    });

    itInLong('report sealed entries that are missing after a restore, and start a new log', async () => {
      const [, entries] = (await text('/ledger/checkpoint')).split('\n');
      expect((await other.paste(anotherPick)).output).to.include('"outcome":"added"');
      await untilPublished(Number(entries) + 1);
      await restore();
      const { output, status } = await audit();
      expect(output).to.match(/it is missing: \d+ entries/);
      expect(status).to.equal(1);

      const said = await pasted('Start a new log');
      expect(said).to.match(/^picks\.example\/ledger-2 starts with \d+ entries\./m);
      await service.interrupt();
      await start();
      await until(async () => (await text('/ledger/checkpoint')).startsWith('picks.example/ledger-2\n'));
      await expectSound();
      expect((await other.paste(anotherPick)).output).to.include('"outcome":"added"');
    });

    it('rebuild a lost checkpoint store', async () => {
      await service.interrupt();
      rmSync(join(data(), 'checkpoint'));
      await service.start('DEMO=0 npm start -- --stores');
      expect((await audit()).status).to.equal(1);
      expect(await pasted('Rewrite the checkpoint store')).to.match(/Wrote the checkpoint of \d+ entries/);
      await expectSound();
    });
  });
});
