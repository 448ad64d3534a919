import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { runVerify, VerifyError, type VerifyOptions } from '../../packages/client/src/commands/verify.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { exampleReceipt, logSigner, testSigner, witnesses } from '../proof/example-log.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { withFolder } from '../support/folders.ts';

const key = formatVerifierKey(logSigner.key);
const root = resolve(import.meta.dirname, '..', '..');

describe('the verify verb', () => {
  const folder = withFolder();
  let receipt: SealedReceipt;
  let server: Server;
  let address: string;
  let shownKeys = key;

  before(async () => {
    receipt = await exampleReceipt({ cosigners: witnesses });
    server = createServer((req, res) => {
      if (req.url === '/ledger/key') res.end(`${shownKeys}\n`);
      else if (req.url === `/api/picks/${receipt.pickUuid}/receipt`) res.end(JSON.stringify(receipt));
      else res.writeHead(404).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((closed) => server.close(closed)));

  function fileOf(name: string, text: string): string {
    const file = join(folder.path(), name);
    writeFileSync(file, text);
    return file;
  }

  async function verify(source: string, options: Partial<VerifyOptions> = {}) {
    const lines: string[] = [];
    const all = { key: [], witness: [], beforeStart: false, json: false, ...options };
    const status = await runVerify(source, all, (line) => lines.push(line));
    return { status, lines, last: lines.at(-1) };
  }

  async function refusal(source: string, options: Partial<VerifyOptions> = {}): Promise<string> {
    try {
      await verify(source, options);
    } catch (error) {
      expect(error).to.be.instanceOf(VerifyError);
      return (error as Error).message;
    }
    throw new Error('it was not refused');
  }

  it('verifies a file step by step, with only the key', async () => {
    const { status, lines } = await verify(fileOf('a.json', JSON.stringify(receipt)), { key: [key] });
    expect(status).to.equal(0);
    for (const step of ['posted body', 'closed hash', 'settled signature', 'order', 'figures'])
      expect(
        lines.some((line) => line.startsWith(` ok   ${step} `)),
        step,
      ).to.equal(true);
  });

  const verdictsIn = (lines: readonly string[]) =>
    lines.slice(lines.indexOf('') + 1).map((line) => line.split(/ {2,}/).slice(0, 2).join(' '));

  it('gives four verdicts, in words and as JSON', async () => {
    const file = fileOf('four.json', JSON.stringify(receipt));
    const witness = witnesses.map((signer) => formatVerifierKey(signer.key));
    expect(verdictsIn((await verify(file, { key: [key], witness })).lines)).to.deep.equal([
      'In the log: Sealed',
      'Before the start: Witnessed',
      'Price: Unchecked',
      'Posted by: The operator',
    ]);
    const { proof, verdicts, laterEventsMayExist } = JSON.parse(
      (await verify(file, { key: [key], json: true })).lines.join('\n'),
    );
    expect({ proof, verdicts, laterEventsMayExist }).to.deep.equal({
      proof: 'ok',
      verdicts: { inTheLog: 'sealed', beforeTheStart: 'signed', price: 'unchecked', postedBy: 'operator' },
      laterEventsMayExist: false,
    });
  });

  it('never rates an import above claimed, and says when later events may be missing', async () => {
    const imported = await exampleReceipt({ pick: { provenance: 'imported' }, settlement: null });
    const { status, lines, last } = await verify(fileOf('import.json', JSON.stringify(imported)), {
      key: [key],
    });
    expect(status).to.equal(0);
    expect(verdictsIn(lines).slice(0, 4)).to.deep.equal([
      'In the log: Sealed',
      'Before the start: Claimed',
      'Price: Claimed',
      'Posted by: An import',
    ]);
    expect(last).to.match(/^Later events may exist/);
  });

  it('names the first step that fails', async () => {
    const forged = { ...receipt, pick: { ...receipt.pick, odds_american: 250 } };
    const { status, last } = await verify(fileOf('b.json', JSON.stringify(forged)), { key: [key] });
    expect(status).to.equal(1);
    expect(last).to.match(/^Failed at "posted hash": Its hash is/);
  });

  it('accepts the URL of a receipt or of a page, and says that the key came from there', async () => {
    for (const path of [`/api/picks/${receipt.pickUuid}/receipt`, `/p/${receipt.pickUuid}`]) {
      const { status, lines } = await verify(address + path);
      expect(status).to.equal(0);
      expect(lines[0]).to.match(/key comes from http:\/\/127.0.0.1:\d+, as does/);
    }
  });

  it('trusts the given key over the one that the site publishes', async () => {
    const other = await testSigner(logSigner.key.name, 77);
    shownKeys = formatVerifierKey(other.key);
    expect((await verify(`${address}/p/${receipt.pickUuid}`)).status).to.equal(1);
    expect((await verify(`${address}/p/${receipt.pickUuid}`, { key: [key] })).status).to.equal(0);
    shownKeys = key;
  });

  it('requires witnesses, and cosignatures before the start', async () => {
    const file = fileOf('c.json', JSON.stringify(receipt));
    const witness = witnesses.map((signer) => formatVerifierKey(signer.key));
    const asked = { key: [key], witness, quorum: 2, beforeStart: true };
    expect((await verify(file, asked)).status).to.equal(0);
    const without = fileOf('d.json', JSON.stringify(await exampleReceipt()));
    const { status, last } = await verify(without, asked);
    expect(status).to.equal(1);
    expect(last).to.include('posted witnesses');
  });

  it('names what is missing or unreadable', async () => {
    const file = fileOf('e.json', JSON.stringify(receipt));
    expect(await refusal(file)).to.include('--key');
    expect(await refusal(file, { key: [formatVerifierKey(witnesses[0]!.key)] })).to.include(
      'no verifier key of a log',
    );
    expect(await refusal(join(folder.path(), 'none.json'), { key: [key] })).to.include('ENOENT');
    expect(await refusal(fileOf('f.json', '{"a":1,"a":2}'), { key: [key] })).to.include('duplicate key');
    expect(await refusal(`${address}/nothing`, { key: [key] })).to.include('404');
    expect(await refusal('http://127.0.0.1:1/p', { key: [key] })).to.include('cannot be read');
  });

  it('exits with 0 if verified, 1 if failed, 2 if undecided', async () => {
    const cli = (...args: string[]) =>
      new Promise<number>((settle) => {
        execFile(
          process.execPath,
          [join(root, 'src', 'cli.ts'), 'verify', ...args],
          { cwd: root, env: baseEnvironment },
          (error) => settle(error === null ? 0 : Number(error.code)),
        );
      });
    const keyFile = fileOf('key.txt', `${key}\n`);
    const honest = fileOf('g.json', JSON.stringify(receipt));
    const forged = fileOf('h.json', JSON.stringify({ ...receipt, clv_bps: 9999 }));
    expect(await cli(honest, '--key', keyFile)).to.equal(0);
    expect(await cli(forged, '--key', key)).to.equal(1);
    expect(await cli(honest)).to.equal(2);
  });
});
