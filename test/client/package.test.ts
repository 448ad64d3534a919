import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { signDelivery, verifyWebhook } from '../../packages/client/src/webhook.ts';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { checker } from '../../src/platform/schema.ts';
import { openCheckpoint } from '../../src/proof/checkpoint.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../src/proof/verifier-key.ts';
import { deliveryHeaders } from '../../src/webhooks/messages/messages.ts';
import { payloadSchemas } from '../../src/webhooks/messages/payloads.ts';
import { textOf } from '../docs/documents.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { beginTestLog, testOrigin } from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { runPipeline } from '../support/whole-way.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..', '..');
const npm = process.env.npm_execpath;

describe('the package for clients', function () {
  this.timeout(180_000);
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const folder = withFolder();
  const now = () => Date.now();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  let site: RunningApi;
  let user: string;
  let key: VerifierKey;
  let tarball: string;
  let capperId: number;
  /** A server that cuts the site's connections when it is asked, and how often it was. */
  let cuts = 0;
  const cutter = createServer((_req, res) => {
    cuts += 1;
    site.server.closeAllConnections();
    res.end();
  });
  const cutterPort = () => (cutter.address() as AddressInfo).port;

  /** Runs npm. */
  const npmRun = (args: readonly string[], cwd: string) =>
    npm === undefined
      ? run('npm', [...args], { cwd })
      : run(process.env.npm_node_execpath ?? 'node', [npm, ...args], { cwd });

  before(async () => {
    const { stdout } = await npmRun(
      ['pack', '-w', 'packages/client', '--pack-destination', folder.path(), '--json'],
      root,
    );
    tarball = join(folder.path(), /[\w.-]+\.tgz/.exec(stdout)![0]);
    user = join(folder.path(), 'empty');
    mkdirSync(user);
    writeFileSync(join(user, 'package.json'), '{"type":"module","private":true}');
    await npmRun(['install', '--offline', '--no-audit', '--no-fund', tarball], user);

    [{ id: capperId }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'elite', verified: true, created_at: new Date() })
      .returning('id');
    await stores.owner('games').insert({
      sport: 'nfl',
      name: 'Harbor Gulls @ Silver Foxes',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    await beginTestLog(stores.database);
    site = await startApi({ database: stores, redis }, { clock: { now } });
    await new Promise<void>((listening) => cutter.listen(0, '127.0.0.1', listening));
    key = (await ledgerSigner(testOrigin, publisher.key)).key;
    const { token } = await makeInvite(stores.database, capperId, now());
    const made = await command('author-key', '--file', 'ada.key', `${site.address}/join#ada.${token}`);
    expect(made.out, made.err).to.match(/^Registered key/);
    for (const line of ['Gulls +3.5 -110 2u', 'Over 44.5 -105 1u', 'Foxes ML -150 1u'])
      expect((await command('post', '--file', 'ada.key', line)).out).to.match(/^Posted: /m);
    await publish();
  });
  after(async () => {
    cutter.close();
    await site?.close();
  });

  const publisher = {
    baseUrl: 'https://picks.example',
    demo: false,
    key: Buffer.alloc(32, 9).toString('base64'),
  };

  async function publish(witnesses: { key: VerifierKey; url: string }[] = []): Promise<void> {
    await runPipeline(stores.database, now());
    await publishCheckpoint(stores.database, { ...publisher, witnesses }, now());
  }

  const bin = () => join(user, 'node_modules', '.bin', 'public-picks');

  async function command(...args: string[]): Promise<{ status: number; out: string; err: string }> {
    return await new Promise((settle) => {
      execFile(bin(), args, { cwd: user }, (error, out, err) =>
        settle({ status: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  /** Starts a command that runs until it is stopped. */
  function started(...args: string[]) {
    const child = spawn(bin(), args, { cwd: user, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const ended = new Promise((settle) => child.once('exit', settle));
    return {
      lines,
      stop: async () => {
        child.kill('SIGINT');
        return await ended;
      },
    };
  }

  /** Runs a program in the folder that has the package. @returns what it printed */
  async function program(source: string): Promise<string> {
    const file = join(user, 'use.mjs');
    writeFileSync(file, source.replaceAll('https://picks.example', site.address));
    const { stdout } = await run(process.execPath, [file], { cwd: user });
    return stdout;
  }

  const uuids = async (): Promise<string[]> => stores.owner('picks').orderBy('id').pluck('uuid');

  it('has no dependencies, and under 60 KB without its types', async () => {
    const installed = JSON.parse(
      readFileSync(join(user, 'node_modules', '@public-picks', 'client', 'package.json'), 'utf8'),
    );
    expect(installed).to.not.have.any.keys('dependencies', 'peerDependencies', 'optionalDependencies');
    const part = join(folder.path(), 'code.tgz');
    await run(
      'bash',
      [
        '-c',
        'mkdir code && tar xzf "$0" -C code && find code -name "*.d.ts" -delete && tar cf - code | gzip -9 > "$1"',
        ...[tarball, part],
      ],
      { cwd: folder.path() },
    );
    expect(statSync(part).size).to.be.lessThan(60 * 1024);
  });

  it('runs the five lines of its README', async () => {
    const [, lines = ''] = /^```js\n(.*?)^```/ms.exec(textOf('packages/client/README.md')) ?? [];
    expect(lines.trim().split('\n')).to.have.length(5);
    const printed = await program(lines);
    expect(printed)
      .to.include('ada Harbor Gulls +3.5')
      .and.match(/\[.*\]\n$/s);
  });

  it('compiles with its types, which know parameters and answers', async () => {
    const source = `
import { createClient, verifyWebhook, type Deliveries } from '@public-picks/client';
const picks = createClient('https://picks.example');
const board = await picks.getLeaderboard({ window: '30d' });
const handle: string = board.cappers[0]!.handle;
const { count } = await picks.getCapperPicks({ handle, limit: 5 });
for await (const pick of picks.items('getCapperPicks', { handle })) pick.oddsAmerican.toFixed();
for await (const event of picks.events()) if (event.event === 'settled') event.settlement.result.length;
const delivery = await verifyWebhook('secret', 'body', new Headers());
if (delivery.event === 'pick.posted') delivery.pick.capperHandle.length;
export const known: [number, Deliveries['ping']['event']] = [count, 'ping'];
// @ts-expect-error
await picks.getLeaderboard({ window: 'forever' });
// @ts-expect-error
await picks.getCapperPicks({});
`;
    writeFileSync(join(user, 'use.ts'), source);
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      lib: ['es2023', 'es2024.string', 'dom', 'dom.asynciterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
    };
    writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', user]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  });

  it('reads all pages, and says why a call was refused', async () => {
    const printed = await program(`
import { ApiError, createClient } from '@public-picks/client';
const picks = createClient('https://picks.example');
const found = { paged: [], record: [] };
for await (const pick of picks.items('getCapperPicks', { handle: 'ada', limit: 1 })) found.paged.push(pick.pickUuid);
for await (const pick of picks.items('getRecordJson', { limit: 2 })) found.record.push(pick.uuid);
found.refused = await picks.getPick({ uuid: '00000000-0000-4000-8000-000000000000' }).catch((error) => [error instanceof ApiError, error.status, error.message]);
console.log(JSON.stringify(found));
`);
    const all = await uuids();
    const found = JSON.parse(printed);
    expect(found.paged).to.deep.equal(all.toReversed());
    expect(found.record).to.deep.equal(all);
    expect(found.refused.slice(0, 2)).to.deep.equal([true, 404]);
    expect(found.refused[2]).to.be.a('string').and.not.include('answered');
  });

  it('continues the stream after each lost connection, without gaps or repetitions', async () => {
    const printed = run(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createClient } from '@public-picks/client';
const seen = [];
let lost = 0;
const onRetry = () => { lost += 1; };
for await (const event of createClient('${site.address}').events({ after: -1 }, { retryMs: 20, onRetry })) {
  seen.push(event.pick.pickUuid);
  if (seen.length <= 3) await fetch('http://127.0.0.1:${cutterPort()}/');
  if (seen.length === 4) break;
}
console.log(JSON.stringify({ seen, lost }));`,
      ],
      { cwd: user },
    );
    await until(() => cuts >= 3);
    expect((await command('post', '--file', 'ada.key', 'Under 44.5 -115 1u')).out).to.match(/^Posted: /m);
    await publish();
    const { seen, lost } = JSON.parse((await printed).stdout);
    expect(seen).to.deep.equal(await uuids());
    expect(lost).to.be.greaterThan(0);
  });

  it('verifies webhooks that the service signs, also during a rotation, and nothing else', async () => {
    const secret = 'ab'.repeat(32);
    const body = JSON.stringify({ event: 'ping', webhook_id: '1', delivered_at: new Date().toISOString() });
    const signed = (changes: object = {}) =>
      deliveryHeaders({
        event: 'ping',
        deliveryId: 'msg_1_2',
        timestamp: Math.floor(now() / 1000),
        body,
        secret,
        ...changes,
      });
    const wrong = (headers: Record<string, string | undefined>, sent = body) =>
      verifyWebhook(secret, sent, headers).then(
        () => 'valid',
        (error: Error) => `${error.name}: ${error.message}`,
      );
    expect(await verifyWebhook(secret, body, new Headers(signed()))).to.deep.equal(JSON.parse(body));
    const whsec = `whsec_${Buffer.from(secret).toString('base64')}`;
    expect(await verifyWebhook(whsec, Buffer.from(body), signed())).to.have.property('event', 'ping');
    const delivery = { event: 'ping', id: 'msg_1_2', timestamp: Math.floor(now() / 1000), body };
    expect(await signDelivery(whsec, delivery)).to.deep.equal(await signDelivery(secret, delivery));
    const rotated = signed({ secret: 'cd'.repeat(32), previousSecret: secret });
    expect(await wrong(rotated)).to.equal('valid');
    const { 'X-Service-Signature': first, 'webhook-signature': second, ...others } = signed();
    expect(await wrong({ ...others, 'x-service-signature': first })).to.equal('valid');
    expect(await wrong({ ...others, 'webhook-signature': second })).to.equal('valid');
    expect(await wrong(others)).to.match(/neither/);
    expect(await wrong(signed(), `${body} `)).to.match(/^WebhookError: .*webhook-signature/);
    expect(await wrong(signed({ secret: 'cd'.repeat(32) }))).to.match(/not valid/);
    expect(await wrong({ ...signed(), 'X-Service-Signature': 'sha256=00' })).to.match(/X-Service-Signature/);
    expect(await wrong(signed({ timestamp: Math.floor(now() / 1000) - 400 }))).to.match(/replay/);
  });

  it('runs the commands of its README', async () => {
    const [, block = ''] = /^```sh\n(.*?)^```/ms.exec(textOf('packages/client/README.md')) ?? [];
    const [PICK] = await uuids();
    const { stdout } = await run('bash', ['-ec', block.replaceAll('https://picks.example', site.address)], {
      cwd: user,
      env: { ...process.env, PICK, KEY: formatVerifierKey(key) },
    });
    expect(stdout).to.match(/^In the log: +Sealed/m);
    expect(stdout).to.match(/^picks has all \d+ entries of picks\.example\/ledger/m);
    expect(stdout).to.match(/^picks is whole: \d+ entries/m);
    expect(stdout).to.match(/Consistent with all earlier polls/);
  });

  it('verifies a receipt in a program, and refuses a changed one', async () => {
    const [uuid] = await uuids();
    const printed = await program(`
import { createClient, parseVerifierKey, verifyReceipt } from '@public-picks/client';
const picks = createClient('https://picks.example');
const trust = { keys: [parseVerifierKey('${formatVerifierKey(key)}')] };
const receipt = await picks.getPickReceipt({ uuid: '${uuid}' });
const forged = { ...receipt, pick: { ...receipt.pick, odds_american: 100 } };
console.log((await picks.verify('${uuid}', trust)).proof, (await verifyReceipt(forged, trust)).failed.step);
`);
    expect(printed.trim()).to.equal('ok hash');
  });

  it('continues a mirror, and finds a file that was changed or a log that was rewritten', async () => {
    const args = ['mirror', site.address, '--folder', 'copy', '--key', formatVerifierKey(key)];
    expect((await command(...args)).status).to.equal(0);
    const served = async () => await (await fetch(`${site.address}/ledger/checkpoint`)).text();
    const first = await served();
    await stores.owner('notices').insert({ at: new Date(), topic: 'remark', text: 'A remark.' });
    await publish();
    // The site serves a checkpoint for a second before it reads the next one.
    await until(async () => (await served()) !== first);
    expect((await command(...args)).out).to.match(/, 1 of them new\./);
    const checkpoint = join(user, 'copy', 'ledger', 'checkpoint');
    const { origin, size } = (
      await openCheckpoint(readFileSync(checkpoint, 'utf8'), testOrigin, [
        parseVerifierKey(formatVerifierKey(key)),
      ])
    ).checkpoint;
    expect([
      origin,
      existsSync(join(user, 'copy', 'ledger', 'tile', '0', `000.p`, String(size))),
    ]).to.deep.equal([testOrigin, true]);
    const bodies = join(user, 'copy', 'ledger', 'bodies', '000.p', String(size));
    const honest = readFileSync(bodies, 'utf8');
    writeFileSync(bodies, honest.replace('"odds_american":-110', '"odds_american":110'));
    const offline = await command(...args, '--offline');
    expect([offline.status, offline.err]).to.deep.equal([
      1,
      offline.err.includes('is not the one in the log') ? offline.err : 'the changed body',
    ]);
    writeFileSync(bodies, honest);
    expect((await command(...args, '--offline')).status).to.equal(0);
    const notes = bodies.replace('bodies', 'checkpoints');
    const signed = readFileSync(notes, 'utf8').trim().split('\n');
    expect(signed).to.have.length.greaterThan(1);
    expect(JSON.parse(signed.at(-1)!)).to.equal(readFileSync(checkpoint, 'utf8'));
    const [origins, count, root] = JSON.parse(signed[0]!).split('\n');
    const other = JSON.stringify([origins, count, root.replace(/^.{4}/, 'AAAA'), ''].join('\n'));
    writeFileSync(notes, `${[other, ...signed.slice(1)].join('\n')}\n`);
    expect((await command(...args, '--offline')).err).to.match(/is not whole/);
    writeFileSync(notes, `${signed.join('\n')}\n`);
  });

  it('keeps a witness that follows a log by its address, and refuses a fork after a restart', async () => {
    const args = [
      'witness',
      '--log',
      site.address,
      '--port',
      '0',
      '--state',
      'w.json',
      '--name',
      'w.example/1',
    ];
    let witness = started(...args);
    await until(() => witness.lines.length > 0);
    const listed = (line: string) => {
      const [, vkey = '', url = ''] = /^WITNESSES="(\S+) (\S+)"$/.exec(line)!;
      return { key: parseVerifierKey(vkey), url };
    };
    await stores.owner('notices').insert({ at: new Date(), topic: 'remark', text: 'Another remark.' });
    const first = listed(witness.lines[0]!);
    await publish([first]);
    let note = '';
    // The site serves a checkpoint for a second before it looks for a newer one.
    await until(async () => {
      note = await (await fetch(`${site.address}/ledger/checkpoint`)).text();
      return note.includes('w.example/1');
    });
    const { cosignedBy, checkpoint } = await openCheckpoint(note, testOrigin, [key], [first.key]);
    expect(cosignedBy).to.have.length(1);
    await witness.stop();
    expect(readFileSync(join(user, 'w.json'), 'utf8')).to.include(`"size":${checkpoint.size}`);
    witness = started(...args);
    await until(() => witness.lines.length > 0);
    const again = listed(witness.lines[0]!);
    expect(again.key).to.deep.equal(first.key);
    // A log that shows another tree of the same size, or an older one, gets a conflict with the size that was cosigned.
    const answer = await fetch(`${again.url}/add-checkpoint`, { method: 'POST', body: `old 0\n\n${note}` });
    expect([answer.status, await answer.text()]).to.deep.equal([409, `${checkpoint.size}\n`]);
    expect(await witness.stop()).to.equal(0);
  });

  it('forwards events to a local program, signed as webhooks', async () => {
    const received: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
    const hook = createServer(async (req, res) => {
      let body = '';
      for await (const part of req) body += part;
      received.push({ headers: req.headers, body });
      res.end();
    });
    await new Promise<void>((listening) => hook.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
    const listener = started('listen', site.address, '--forward', url, '--after=-1');
    try {
      const all = await uuids();
      await until(() => received.length === all.length);
      const secret = /^Secret: ([0-9a-f]{64})$/.exec(listener.lines[0]!)![1]!;
      const deliveries = await Promise.all(
        received.map(({ body, headers }) => verifyWebhook(secret, body, headers)),
      );
      expect(deliveries.map((each) => ('pick' in each ? each.pick.pickUuid : ''))).to.deep.equal(all);
      for (const delivery of deliveries)
        expect(checker(payloadSchemas['pick.posted'])(delivery)).to.include({ ok: true });
      await until(() => listener.lines.some((line) => /^200 pick\.posted \d+ ada: /.test(line)));
    } finally {
      expect(await listener.stop()).to.equal(0);
      hook.close();
    }
  });
});
