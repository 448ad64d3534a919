import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { AttemptFault } from '../../src/webhooks/attempt.ts';
import { connector, trust } from '../../src/webhooks/connector.ts';
import type { Address } from '../../src/webhooks/resolve.ts';
import { parseTarget } from '../../src/webhooks/target.ts';
import { startRawServer } from '../support/raw-server.ts';
import { until } from '../support/until.ts';

/** Connects to addresses on the name of a public host. */
function connectTo(
  addresses: Address[],
  { port = 443, anyAddress = false, limitMs = 1000 } = {},
): Promise<AttemptFault | Socket> {
  const verdict = parseTarget('https://hooks.public-picks.com/', new Set());
  if (!verdict.ok) throw new Error(verdict.reason);
  const connect = connector(
    { ...verdict.target, port },
    { addresses: () => addresses, anyAddress, trusted: trust(undefined), limitMs },
  );
  return new Promise((resolve) => {
    connect({ hostname: 'hooks.public-picks.com', protocol: 'https:', port: String(port) }, (fault, socket) =>
      resolve((fault as AttemptFault | null) ?? (socket as Socket)),
    );
  });
}

const four = (address: string): Address => ({ address, family: 4 });

describe('a connection for a delivery', () => {
  it('says nothing to an address that is not public, should one ever get past the guard', async () => {
    const server = await startRawServer(() => {});
    try {
      const fault = await connectTo([four('127.0.0.1')], { port: server.port });
      expect(fault).to.include({ error: 'refused', ours: false });
      await until(() => server.open() === 0);
      expect([server.connections(), server.bytes()]).to.deep.equal([1, 0]);
    } finally {
      await server.close();
    }
  });

  it('that our own network does not let out is our fault', async () => {
    expect(await connectTo([four('255.255.255.255')])).to.include({ error: 'connect', ours: true });
  });

  it('that only IPv6 would reach is not: not every machine has it', async () => {
    const fault = await connectTo([{ address: '2d00::1', family: 6 }], { limitMs: 50 });
    expect(fault).to.include({ ours: false });
  });
});
