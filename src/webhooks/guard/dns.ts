import { lookup, Resolver } from 'node:dns/promises';
import { type Address, type Resolve, ResolveError } from './resolve.ts';
import type { AllowedHosts } from './target.ts';

/** No such name, or no addresses of that family: an answer like any other. */
const none = new Set(['ENOTFOUND', 'ENODATA']);

/** Nobody listens where the resolver should be, or we cannot ask: nothing that a receiver could have done. */
const noResolver = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EAI_SYSTEM', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** The resolver was asked and said nothing in time. */
const silence = new Set(['ETIMEOUT', 'ECANCELLED']);

/**
 * Resolves names over DNS alone: neither the hosts file nor a search domain has a say, and a slow name takes none of the threads that
 * files and keys wait for. Names of allowed hosts are resolved as this machine does it for everyone, hosts file included.
 * @param limitMs how long one name may take, in milliseconds, finding out whose fault it is included
 * @param servers instead of this machine's resolvers: `address:port`
 */
export function createResolve(options: {
  allowed: AllowedHosts;
  limitMs?: number;
  servers?: readonly string[];
}): Resolve {
  const { allowed, limitMs = 3000, servers } = options;
  const nameMs = Math.ceil((limitMs * 2) / 3);
  const probeMs = limitMs - nameMs;
  const local = new Set([...allowed].map((host) => host.replace(/:\d+$/, '')));

  const open = () => {
    // A resolver for each name: it reads the machine's current configuration, and cancelling one does not affect the others.
    const resolver = new Resolver({ timeout: Math.ceil(nameMs / 2), tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    return resolver;
  };

  /** Whether the resolver answers at all: any of them knows the servers of the root. */
  const answers = async () => {
    const resolver = open();
    const code = await withLimit(resolver, probeMs, resolver.resolveNs('.')).then(() => '', codeOf);
    return !silence.has(code) && !noResolver.has(code);
  };

  return async (hostname) => {
    if (local.has(hostname)) return locally(hostname);
    const resolver = open();
    const both = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [four, six] = await withLimit(resolver, nameMs, both);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    const codes = [four, six].map((each) => (each.status === 'rejected' ? codeOf(each.reason) : 'ENODATA'));
    const code = codes.find((each) => !none.has(each)) ?? 'ENOTFOUND';
    throw new ResolveError(code, noResolver.has(code) || (silence.has(code) && !(await answers())));
  };
}

async function locally(hostname: string): Promise<readonly Address[]> {
  try {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  } catch (error) {
    throw new ResolveError(codeOf(error), noResolver.has(codeOf(error)));
  }
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}

/** Gives up what a resolver is at work on after `limitMs`. */
async function withLimit<T>(resolver: Resolver, limitMs: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
