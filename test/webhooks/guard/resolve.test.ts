import { expect } from 'chai';
import { allowedHosts } from '../../../src/platform/config/kinds.ts';
import {
  type Address,
  checkTarget,
  createResolve,
  type Resolve,
  ResolveError,
} from '../../../src/webhooks/guard/resolve.ts';
import { parseTarget, type Target } from '../../../src/webhooks/guard/target.ts';
import { startNameServer, type Zone } from '../../support/name-server.ts';
import { latencyMs } from '../../support/patience.ts';
import { hostileIPv4, hostileIPv6 } from './hostile-targets.ts';

const none = allowedHosts('');

const targetOf = (url: string, allowed = none): Target => {
  const verdict = parseTarget(url, allowed);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.target;
};

const addressOf = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 });
const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map(addressOf);

const hook = targetOf('https://hooks.example.com/s3cr3t');

describe('the resolution of a target', () => {
  it('returns all public addresses found', async () => {
    const verdict = await checkTarget(hook, { allowed: none, resolve: resolveTo('8.8.8.8', '2606:4700::1') });
    expect(verdict).to.deep.equal({ ok: true, addresses: ['8.8.8.8', '2606:4700::1'].map(addressOf) });
  });

  it('is refused for any address of the hostile corpus, wherever it appears among public ones', async () => {
    for (const hostile of [...hostileIPv4, ...hostileIPv6]) {
      for (const addresses of [[hostile], [hostile, '8.8.8.8'], ['8.8.8.8', '2606:4700::1', hostile]]) {
        const verdict = await checkTarget(hook, { allowed: none, resolve: resolveTo(...addresses) });
        expect(verdict, hostile).to.deep.include({ ok: false, error: 'refused', ours: false });
        expect(JSON.stringify(verdict)).not.to.contain('s3cr3t');
      }
    }
  });

  it('needs no lookup for a target that is an address', async () => {
    const resolve = () => Promise.reject(new Error('was asked'));
    const target = targetOf('https://[2606:4700::1]:8443/');
    const verdict = await checkTarget(target, { allowed: none, resolve });
    expect(verdict).to.deep.equal({ ok: true, addresses: [addressOf('2606:4700::1')] });
  });

  it('allows any address for an allowed host, after a lookup', async () => {
    const allowed = allowedHosts('hooks.internal:443');
    const target = targetOf('https://hooks.internal/', allowed);
    const verdict = await checkTarget(target, { allowed, resolve: resolveTo('10.0.0.1') });
    expect(verdict).to.deep.equal({ ok: true, addresses: [addressOf('10.0.0.1')] });
  });

  it('reports a missing answer as not found, rather than refused, and whose fault it is', async () => {
    const fails = (ours: boolean) => () => Promise.reject(new ResolveError('ETIMEOUT', ours));
    for (const ours of [true, false])
      expect(await checkTarget(hook, { allowed: none, resolve: fails(ours) })).to.deep.equal({
        ok: false,
        reason: 'The host hooks.example.com was not found.',
        error: 'dns',
        ours,
      });
    expect(await checkTarget(hook, { allowed: none, resolve: resolveTo() })).to.include({
      ok: false,
      error: 'dns',
    });
  });
});

describe('looking up names', () => {
  const open: (() => Promise<void>)[] = [];
  const withZone = async (zone: Zone, allowed = none) => {
    const { server, asked, close } = await startNameServer(zone);
    open.push(close);
    return { resolve: createResolve({ allowed, limitMs: 600, servers: [server] }), asked };
  };
  const failure = (resolving: Promise<unknown>) =>
    resolving.then(
      () => undefined,
      (error: unknown) => error,
    );

  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  it('finds all addresses of both families over DNS', async () => {
    const { resolve } = await withZone(() => ['192.0.2.1', '2001:db8::1', '8.8.8.8']);
    const found = await resolve('hooks.example.com');
    expect(found.map(({ address }) => address)).to.have.members(['192.0.2.1', '2001:db8::1', '8.8.8.8']);
    expect(found.filter(({ family }) => family === 6)).to.deep.equal([addressOf('2001:db8::1')]);
  });

  it('works with one family', async () => {
    const { resolve } = await withZone(() => ['2001:db8::1']);
    expect(await resolve('hooks.example.com')).to.deep.equal([addressOf('2001:db8::1')]);
  });

  it('ignores the hosts file, except for allowed hosts', async () => {
    const zone: Zone = () => 'not found';
    const { resolve, asked } = await withZone(zone);
    expect(await failure(resolve('localhost')))
      .to.be.instanceOf(ResolveError)
      .and.include({ ours: false });
    expect(asked).to.include('localhost');
    const local = await withZone(zone, allowedHosts('localhost:4433'));
    expect((await local.resolve('localhost')).map(({ address }) => address)).to.include('127.0.0.1');
    expect(local.asked).to.deep.equal([]);
  });

  it('does not blame the service for a missing name, or for servers that fail or hang', async () => {
    for (const says of ['not found', 'failure', 'silence', []] as const) {
      const { resolve } = await withZone((name) => (name === '' ? 'not found' : says));
      const error = await failure(resolve('hooks.example.com'));
      expect(error, String(says)).to.be.instanceOf(ResolveError).and.include({ ours: false });
    }
  });

  it('blames the service for a resolver that is silent or down, within a time limit', async () => {
    const { resolve } = await withZone(() => 'silence');
    const startedAt = performance.now();
    expect(await failure(resolve('hooks.example.com')))
      .to.be.instanceOf(ResolveError)
      .and.include({ ours: true });
    expect(performance.now() - startedAt).to.be.lessThan(latencyMs(10_000));

    const { server, close } = await startNameServer(() => 'silence');
    await close();
    const gone = createResolve({ allowed: none, limitMs: 600, servers: [server] });
    expect(await failure(gone('hooks.example.com')))
      .to.be.instanceOf(ResolveError)
      .and.include({ ours: true });
  });
});
