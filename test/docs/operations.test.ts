import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { discardPostgres } from '../../src/local/postgres.ts';
import { closeAfter } from '../support/cleanup.ts';
import { withFolder } from '../support/folders.ts';
import { itInLong } from '../support/long.ts';
import { ownRedis } from '../support/own-redis.ts';
import { commandsOf, openTerminal, surroundings, type Terminal } from '../support/pasted.ts';
import { until } from '../support/until.ts';

const readme = commandsOf('README.md');
const operations = commandsOf('docs/operations.md');

describe('the commands of docs/operations.md', () => {
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
      }),
      replaced: {
        'http://localhost:3000': site,
        '127.0.0.1:3001': `127.0.0.1:${operatorPort}`,
        // The order matters: the shorter name is part of the others.
        '.data-damaged': `${data()}-damaged`,
        '.data': data(),
        '/backup': join(folder.path(), 'backup'),
      },
    };
    [service, other] = [openTerminal(around), openTerminal(around)];
    closeAfter(this, async () => {
      await Promise.all([service.close(), other.close()]);
      await redis.close();
      for (const each of [data(), `${data()}-damaged`]) if (existsSync(each)) discardPostgres(each);
    });
    await start();
    expect((await other.paste(readme.get('Post a pick')![0]!)).status).to.equal(0);
    await untilPublished(1);
  });

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
    expect((await other.paste(readme.get('Post a pick')![1]!)).output).to.include('"outcome":"added"');
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
    expect((await other.paste(readme.get('Post a pick')![1]!)).output).to.include('"outcome":"added"');
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
