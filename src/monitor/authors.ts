import { keyFault } from '../proof/author-walk.ts';
import type { CapperKeyBody, PickBody } from '../proof/bodies.ts';
import { fingerprint, idOfKey, signatureFault } from '../proof/capper-key.ts';
import type { Entry } from '../proof/entry.ts';
import { ownValue } from '../rules/own-value.ts';
import { sealed } from './sealed.ts';

interface LoggedKey {
  capper: string;
  /** In base64. */
  key: string;
  purpose: CapperKeyBody['purpose'];
  seq: number;
  revokedSeq?: number;
  /** Its most recent nonces. Older signatures cannot be replayed, because a signature names its instant. */
  nonces: string[];
}

export type LoggedKeys = Record<string, LoggedKey>;

/**
 * A violation by a key or by the poster of a pick. `author`: no valid key of the capper signed the pick. `capper_key`: the key is invalid,
 * or no earlier key of the capper endorsed it. `operator`: the operator posted a pick for a capper who has a key.
 */
export interface AuthorFault {
  kind: 'author' | 'capper_key' | 'operator';
  message: string;
}

const maxNonces = 1_000;

/** @param keys is modified. @param origins of the log, and of earlier logs that it continues */
export async function followKey(
  keys: LoggedKeys,
  origins: readonly string[],
  { seq, hash }: Entry,
  given: unknown,
): Promise<AuthorFault[]> {
  const faults: AuthorFault[] = [];
  const report = (message: string) => faults.push({ kind: 'capper_key', message });
  let body: CapperKeyBody;
  try {
    body = sealed('capper_key', given, hash);
  } catch (error) {
    return [{ kind: 'capper_key', message: (error as Error).message }];
  }
  const { capper, action, by, endorsed_by: endorsedBy } = body;
  const id = idOfKey(body.key);
  const about = `key ${fingerprint(id)} of ${capper}`;
  const endorser = endorsedBy === null ? null : (ownValue(keys, endorsedBy) ?? null);
  const fault = await keyFault(body, endorser?.key ?? null, origins);
  if (fault !== null) report(`${about} is invalid: ${fault}`);
  if (endorser !== null && endorser.capper !== capper)
    report(`${about} is endorsed by a key of ${endorser.capper}`);
  if (endorser?.revokedSeq !== undefined) report(`${about} is endorsed by a key that had been revoked`);
  const known = ownValue(keys, id);
  if (action === 'revoke') {
    if (known === undefined || known.capper !== capper)
      report(`${about} was revoked, but the log never added it`);
    else known.revokedSeq ??= seq;
    return faults;
  }
  if (known !== undefined) {
    report(`${about} was added twice`);
    return faults;
  }
  const earlier = Object.values(keys).some((key) => key.capper === capper);
  if (body.first && earlier) report(`${about} claims to be the first one, but the capper already had a key`);
  else if (earlier && endorsedBy === null)
    report(
      `${about} was added by ${by} without an endorsement by an earlier key of the capper. It may belong to anyone`,
    );
  keys[id] = { capper, key: body.key, purpose: body.purpose, seq, nonces: [] };
  return faults;
}

/** @param origins of the log, and of earlier logs that it continues. @param seq of the pick's entry */
export async function authorFaults(
  keys: LoggedKeys,
  origins: readonly string[],
  body: PickBody,
  seq: number,
): Promise<AuthorFault[]> {
  const about = `pick ${body.uuid} of ${body.capper}`;
  const author = (message: string): AuthorFault[] => [{ kind: 'author', message }];
  if (body.author === null) {
    const has = Object.values(keys).some(
      (key) =>
        key.capper === body.capper &&
        key.seq < seq &&
        !(key.revokedSeq !== undefined && key.revokedSeq < seq),
    );
    return has
      ? [{ kind: 'operator', message: `${about} was posted by the operator, although the capper has a key` }]
      : [];
  }
  const { key: id, nonce } = body.author;
  const key = ownValue(keys, id);
  const named = `key ${fingerprint(id)}`;
  if (key === undefined) return author(`${about} is signed by ${named}, which is not in the log`);
  if (key.capper !== body.capper) return author(`${about} is signed by ${named} of ${key.capper}`);
  if (key.seq > seq) return author(`${about} is signed by ${named}, which the log added only later`);
  if (key.revokedSeq !== undefined && key.revokedSeq < seq)
    return author(`${about} is signed by ${named}, which had been revoked`);
  if (key.purpose === 'recovery') return author(`${about} is signed by ${named}, a recovery key`);
  const fault = await signatureFault({ ...body, author: body.author }, key.key, origins);
  if (fault !== null) return author(`${about} has an invalid signature: ${fault}`);
  if (key.nonces.includes(nonce)) return author(`${about} reuses a nonce of ${named}`);
  key.nonces = [...key.nonces, nonce].slice(-maxNonces);
  return [];
}
