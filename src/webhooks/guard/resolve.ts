import { isIP } from 'node:net';
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
