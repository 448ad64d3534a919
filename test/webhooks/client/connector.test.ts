import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { AttemptFault } from '../../../src/webhooks/client/attempt.ts';
import { connectFault, connector, trust } from '../../../src/webhooks/client/connector.ts';
import type { Address } from '../../../src/webhooks/guard/resolve.ts';
import { parseTarget } from '../../../src/webhooks/guard/target.ts';
import { startRawServer } from '../../support/raw-server.ts';
import { until } from '../../support/until.ts';

/** Connects to addresses under the name of a public host. */
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
  it('sends nothing to a private address, even past the guard', async () => {
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

  it("is the service's fault if its own network blocks it", async () => {
    expect(await connectTo([four('255.255.255.255')])).to.include({ error: 'connect', ours: true });
  });
});

describe('the fault for a failed connection', () => {
  const failure = (code: string, address: string) => Object.assign(new Error(code), { code, address });
  const of = (...errors: Error[]) =>
    connectFault(errors.length === 1 ? (errors[0] as Error) : new AggregateError(errors));

  it("is the service's if its network or machine blocks every address", () => {
    for (const code of ['ENETUNREACH', 'ENETDOWN', 'EMFILE', 'EADDRNOTAVAIL', 'EACCES'])
      expect(of(failure(code, '8.8.8.8')), code).to.include({ error: 'connect', ours: true });
    const both = of(failure('ENETUNREACH', '8.8.8.8'), failure('ENETUNREACH', '2606:4700::1'));
    expect(both).to.include({ ours: true });
  });

  it("is the receiver's if anything else blocks one address", () => {
    for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ECONNRESET'])
      expect(of(failure(code, '8.8.8.8')), code).to.include({ error: 'connect', ours: false });
    const mixed = of(failure('ENETUNREACH', '8.8.8.8'), failure('ECONNREFUSED', '8.8.4.4'));
    expect(mixed).to.include({ error: 'connect', ours: false });
  });

  it("is the receiver's if only IPv6 would work, which not every machine has", () => {
    expect(of(failure('ENETUNREACH', '2606:4700::1'))).to.include({ error: 'connect', ours: false });
    const mixed = of(failure('ENETUNREACH', '2606:4700::1'), failure('ECONNREFUSED', '8.8.8.8'));
    expect(mixed).to.include({ ours: false });
  });

  it('is a timeout if every address was silent', () => {
    const both = of(failure('ETIMEDOUT', '8.8.8.8'), failure('ETIMEDOUT', '8.8.4.4'));
    expect(both).to.include({ error: 'connect-timeout', ours: false });
  });
});
