import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import {
  checkRequest,
  maxExchangeBytes,
  maxMessageBytes,
  type SignerResponse,
} from '../ledger/publishing/signer/protocol.ts';
import { faultsText } from '../platform/schema.ts';
import { keyPair } from '../proof/ed25519.ts';
import { untilStopped, type Verb, VerbRefused } from './verb.ts';

type KeyPair = Awaited<ReturnType<typeof keyPair>>;

const idleMs = 5_000;

/** With or without `LEDGER_KEY=`. @throws VerbRefused if others may read the file, or it has no seed */
function readKeyFile(path: string): Promise<KeyPair> {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new VerbRefused(`Others may read ${path}: remove their rights with chmod 600.`);
  const [, seed] = /^(?:LEDGER_KEY=)?([A-Za-z0-9+/]{43}=)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  if (seed === undefined) throw new VerbRefused(`${path} contains no seed: 32 bytes in base64.`);
  return keyPair(Buffer.from(seed, 'base64'));
}

/** Answers a request of `LEDGER_SIGNER` (docs/signer.md). */
async function answerRequest(line: string, { publicKey, sign }: KeyPair): Promise<SignerResponse> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'the request is not JSON' };
  }
  const checked = checkRequest(value);
  if (!checked.ok) return { error: faultsText(checked.faults) };
  if (checked.value.request === 'public-key') return { publicKey: Buffer.from(publicKey).toString('base64') };
  const message = Buffer.from(checked.value.message, 'base64');
  if (message.length > maxMessageBytes) return { error: 'the message is too long' };
  return { signature: Buffer.from(await sign(message)).toString('base64') };
}

function listen(path: string, keys: KeyPair): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let line = '';
    socket.setEncoding('utf8');
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: string) => {
      line += part;
      if (line.length > maxExchangeBytes) socket.destroy();
    });
    socket.on('end', () => {
      answerRequest(line, keys).then(
        (answer) => socket.end(`${JSON.stringify(answer)}\n`),
        () => socket.destroy(),
      );
    });
  });
  // A killed signer leaves its socket behind.
  rmSync(path, { force: true });
  const before = process.umask(0o077);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      process.umask(before);
      resolve(server);
    });
  });
}

/** To try a signer, or to keep the key out of the service's processes. */
export const signerVerb: Verb = (_config, say) =>
  new Command('signer')
    .description('signs for LEDGER_SIGNER with a key file: one request on standard input, or a unix socket')
    .requiredOption('--key-file <path>', 'the seed, as ledger-key prints it')
    .option('--socket <path>', 'listen on a unix socket, which only the same user may open')
    .action(async ({ keyFile, socket }: { keyFile: string; socket?: string }) => {
      const keys = await readKeyFile(keyFile);
      if (socket === undefined) {
        say(JSON.stringify(await answerRequest(await text(process.stdin), keys)));
        return;
      }
      const server = await listen(socket, keys);
      say(`Signing on unix:${socket}`);
      await untilStopped();
      server.close();
    });
