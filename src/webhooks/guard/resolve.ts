import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withTimeout } from '../../platform/timeout.ts';
import { isPublicAddress } from './names.ts';
import { type AllowedHosts, isAllowed, type Target } from './target.ts';

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Returns all addresses of a name, at least one. @throws ResolveError if there are none */
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** A name was not resolved. `ours` tells whether the fault is clearly ours. */
export class ResolveError extends Error {
  override name = 'ResolveError';
  readonly ours: boolean;

  constructor(message: string, ours: boolean) {
    super(message);
    this.ours = ours;
  }
}

export type AddressVerdict =
  | { ok: true; addresses: readonly Address[] }
  /** `reason`: a sentence for the subscriber; `ours`: whether the fault is ours. */
  | { ok: false; reason: string; error: 'dns' | 'refused'; ours: boolean };

/**
 * Resolves a target's name and checks every address. A single one that is not public refuses the target, because the caller cannot know
 * which one it gets (docs/security.md#webhook-targets). Connect to the returned addresses, never to the name.
 */
export async function checkTarget(
  target: Target,
  { allowed, resolve }: { allowed: AllowedHosts; resolve: Resolve },
): Promise<AddressVerdict> {
  const family = isIP(target.hostname);
  const found =
    family === 0
      ? await resolve(target.hostname).catch((error: Error) => error)
      : [{ address: target.hostname, family: family as 4 | 6 }];
  if (found instanceof Error || found.length === 0)
    return {
      ok: false,
      reason: `The host ${target.hostname} was not found.`,
      error: 'dns',
      ours: found instanceof ResolveError && found.ours,
    };
  if (isAllowed(target, allowed) || found.every(({ address }) => isPublicAddress(address)))
    return { ok: true, addresses: found };
  return {
    ok: false,
    reason: `The host ${target.hostname} resolves to an address that is not public.`,
    error: 'refused',
    ours: false,
  };
}

/** Codes for a missing name, or no addresses of that family: valid answers. */
const none = new Set(['ENOTFOUND', 'ENODATA']);

/** Codes for a resolver that is absent or cannot be asked: not the receiver's fault. */
const noResolver = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EAI_SYSTEM', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Codes for a resolver that did not answer in time. */
const silence = new Set(['ETIMEOUT', 'ECANCELLED']);

/**
 * Returns a function that resolves names only over DNS. It ignores the hosts file and search domains, and a slow name blocks no thread of
 * the pool that files and keys need. Names of allowed hosts are resolved as this machine does, including the hosts file.
 * @param limitMs timeout per name, in ms, including the check of the resolver
 * @param servers replaces this machine's resolvers: `address:port`
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
    // A resolver per name reads the machine's current configuration, and can be canceled without affecting others.
    const resolver = new Resolver({ timeout: Math.ceil(nameMs / 2), tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    return resolver;
  };

  /** Reports whether the resolver answers at all: every resolver knows the root servers. */
  const answers = async () => {
    const resolver = open();
    const code = await withLimit(resolver, probeMs, resolver.resolveNs('.')).then(() => '', codeOf);
    return !silence.has(code) && !noResolver.has(code);
  };

  return async (hostname) => {
    if (local.has(hostname)) return locally(hostname, limitMs);
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

async function locally(hostname: string, limitMs: number): Promise<readonly Address[]> {
  const found = lookup(hostname, { all: true }).catch((error) => {
    throw new ResolveError(codeOf(error), noResolver.has(codeOf(error)));
  });
  const addresses = await withTimeout(found, limitMs, () => {
    throw new ResolveError('ETIMEOUT', true);
  });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}

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
