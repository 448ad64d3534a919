import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ledgerSigner } from '../../../src/ledger/publishing/identity.ts';
import type { SignerRequest } from '../../../src/ledger/publishing/signer/protocol.ts';
import { type RunningWitness, startWitness } from '../../../src/monitor/witness.ts';
import { formatVerifierKey } from '../../../src/proof/verifier-key.ts';

/** A signer and a witness of the log. */
export interface Neighbors {
  /** Address of the signer. */
  signer: string;
  witness: RunningWitness;
  close(): Promise<void>;
}

export async function startNeighbors(folder: string): Promise<Neighbors> {
  const signer = await ledgerSigner('stack.example/ledger', Buffer.alloc(32, 2).toString('base64'));
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as SignerRequest;
    const answer =
      asked.request === 'public-key'
        ? { publicKey: Buffer.from(signer.key.publicKey).toString('base64') }
        : {
            signature: Buffer.from(await signer.sign(Buffer.from(asked.message, 'base64'))).toString(
              'base64',
            ),
          };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const witness = await startWitness({
    log: [formatVerifierKey(signer.key)],
    port: 0,
    host: '127.0.0.1',
    name: 'a-witness',
    state: join(folder, 'witness.json'),
  });
  return {
    signer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    witness,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await witness.close();
    },
  };
}
