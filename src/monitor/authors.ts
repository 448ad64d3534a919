import { keyFault } from '../proof/author-walk.ts';
import { type CapperKeyBody, checkBody, type PickBody } from '../proof/bodies.ts';
import { fingerprint, idOfKey, signatureFault } from '../proof/capper-key.ts';
import type { Entry } from '../proof/entry.ts';
import { sealed } from './sealed.ts';

/** A key of a capper, as the log tells of it. */
interface LoggedKey {
  capper: string;
  /** In base64. */
  key: string;
  purpose: CapperKeyBody['purpose'];
  /** The entry that added it. */
  seq: number;
  /** The entry that revoked it. */
  revokedSeq?: number;
  /** The last nonces that it signed. The instant in a signature lets nobody replay an older one. */
  nonces: string[];
}

/** Keys by id. */
export type LoggedKeys = Record<string, LoggedKey>;

/**
 * What is wrong with a key or with who posted a pick. `author`: a pick is not signed by a valid key of its capper. `capper_key`: a key does
 * not hold, or no earlier key of the capper signed for it. `operator`: the operator posted a pick for a capper who has a key.
 */
export interface AuthorFault {
  kind: 'author' | 'capper_key' | 'operator';
  message: string;
}

const maxNonces = 1_000;

/** Follows an entry that adds or revokes a key. @param keys is modified */
export async function followKey(
  keys: LoggedKeys,
  { seq, hash }: Entry,
  given: unknown,
): Promise<AuthorFault[]> {
  const faults: AuthorFault[] = [];
  const report = (message: string) => faults.push({ kind: 'capper_key', message });
  let body: CapperKeyBody;
  try {
    body = sealed('capper_key', given, hash);
    checkBody('capper_key', body);
  } catch (error) {
    return [{ kind: 'capper_key', message: (error as Error).message }];
  }
  const { capper, action, by, endorsed_by: endorsedBy } = body;
  const id = idOfKey(body.key);
  const about = `key ${fingerprint(id)} of ${capper}`;
  const endorser = endorsedBy !== null && Object.hasOwn(keys, endorsedBy) ? keys[endorsedBy]! : null;
  const fault = await keyFault(body, endorser?.key ?? null);
  if (fault !== null) report(`${about} does not hold: ${fault}`);
  if (endorser !== null && endorser.capper !== capper)
    report(`${about} is endorsed by a key of ${endorser.capper}`);
  if (endorser?.revokedSeq !== undefined) report(`${about} is endorsed by a key that was revoked before`);
  const known = Object.hasOwn(keys, id) ? keys[id]! : undefined;
  if (action === 'revoke') {
    if (known === undefined || known.capper !== capper)
      report(`${about} was revoked, but the log never added it`);
    else known.revokedSeq ??= seq;
    return faults;
  }
  if (known !== undefined) {
    report(`${about} was added a second time`);
    return faults;
  }
  const earlier = Object.values(keys).some((key) => key.capper === capper);
  if (body.first && earlier)
    report(`${about} says that it is the first one, but the capper had a key before`);
  else if (earlier && endorsedBy === null)
    report(
      `${about} was added by ${by}, and no earlier key of the capper signed for it: it may be anybody's`,
    );
  keys[id] = { capper, key: body.key, purpose: body.purpose, seq, nonces: [] };
  return faults;
}

/** Judges who posted a live pick. @param seq of its entry */
export async function authorFaults(keys: LoggedKeys, body: PickBody, seq: number): Promise<AuthorFault[]> {
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
      ? [{ kind: 'operator', message: `${about} was posted by the operator, though the capper has a key` }]
      : [];
  }
  const { key: id, nonce } = body.author;
  const key = Object.hasOwn(keys, id) ? keys[id]! : undefined;
  const named = `key ${fingerprint(id)}`;
  if (key === undefined) return author(`${about} is signed by ${named}, which the log does not have`);
  if (key.capper !== body.capper) return author(`${about} is signed by ${named} of ${key.capper}`);
  if (key.seq > seq) return author(`${about} is signed by ${named}, which the log added only afterwards`);
  if (key.revokedSeq !== undefined && key.revokedSeq < seq)
    return author(`${about} is signed by ${named}, which was revoked before`);
  if (key.purpose === 'recovery') return author(`${about} is signed by ${named}, a recovery key`);
  const fault = await signatureFault({ ...body, author: body.author }, key.key);
  if (fault !== null) return author(`${about} has a signature that does not hold: ${fault}`);
  if (key.nonces.includes(nonce))
    return author(`${about} is signed with a nonce that ${named} has used before`);
  key.nonces = [...key.nonces, nonce].slice(-maxNonces);
  return [];
}
