import { chmodSync } from 'node:fs';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { discardPostgres } from '../../src/local/postgres.ts';
import { closeAfter } from '../support/cleanup.ts';
import { withFolder } from '../support/folders.ts';
import { ownRedis } from '../support/own-redis.ts';
import { commandsOf, openTerminal, surroundings } from '../support/pasted.ts';
import { until } from '../support/until.ts';

const commands = commandsOf('README.md');

describe('the commands of README.md', () => {
  const folder = withFolder();
  let site: string;
  let pasted: (heading: string) => Promise<string>;

  before(async function () {
    this.timeout(300_000);
    // If run by root, PostgreSQL's own user needs access.
    chmodSync(folder.path(), 0o711);
    const redis = await ownRedis();
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    site = `http://localhost:${port}`;
    const terminal = openTerminal({
      environment: surroundings({
        DATA_DIR: folder.path(),
        DEMO: '0',
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        REDIS_URL: redis.url,
        WEBHOOK_ALLOW_HOSTS: '127.0.0.1:8443',
      }),
      replaced: {
        'http://localhost:3000': site,
        '127.0.0.1:3001': `127.0.0.1:${operatorPort}`,
        '.data/': `${folder.path()}/`,
        // A receiver that needs no name server.
        'https://example.com/': 'https://127.0.0.1:8443/',
      },
    });
    closeAfter(this, async () => {
      await terminal.close();
      await redis.close();
      discardPostgres(folder.path());
    });
    await terminal.start(commands.get('Start')!.join(''));
    pasted = async (heading) => (await terminal.paste(commands.get(heading)!.join(''))).output;
  });

  it('cover five things to try, and the tests', () => {
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
    expect(answers.match(/"outcome":"added"/g)).to.have.length(4);
    expect(answers).to.include('"acknowledgement":');
  });

  it('verify its receipt', async () => {
    await until(async () => (await asked('/api/cappers/ada/picks')).count === 2);
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
    await until(async () => (await asked('/api/cappers/ada/picks')).count === 3);
  });

  async function asked(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(site + path);
    return (await response.json()) as Record<string, unknown>;
  }
});
