import { bodyHash, type CapperKeyBody } from './bodies.ts';
import { fingerprint, idOfKey, isSigned, type KeyStatement, signatureFault } from './capper-key.ts';
import { parseEntry } from './entry.ts';
import type { KeyProof } from './receipt.ts';
import { entryIsInLog, must, type ReceiptWalk } from './receipt-walk.ts';
import type { Sha256 } from './sha256.ts';

/**
 * Checks that a key of the capper, added before the pick, signed it. The key must be the capper's first one, or endorsed by earlier keys
 * back to the first. Requires that the other steps have passed.
 * @throws Error whose message says what failed
 */
export async function authorIsKnown(walk: ReceiptWalk): Promise<string> {
  const { pick, proof } = walk.receipt;
  must(pick.author !== null, 'The pick is not signed by its author, but the receipt has keys.');
  const last = proof.keys.at(-1);
  must(last !== undefined, 'The pick is signed, but the receipt has no key.');
  for (const [index, key] of proof.keys.entries()) await keyIsOfCapper(walk, key, proof.keys[index - 1]);
  const { body } = last;
  must(body.purpose === 'device', 'The pick is signed by a recovery key, which signs no picks.');
  must(
    last.seq < proof.events[0]!.seq,
    `The key was added by entry ${last.seq}, after the pick (entry ${proof.events[0]!.seq}).`,
  );
  const signed = { ...pick, author: pick.author };
  const fault = await signatureFault(signed, body.key, originsUnder(walk), walk.sha256);
  must(fault === null, `The author's signature is not valid: ${fault}.`);
  const elsewhere = await signatureFault(signed, body.key, [proof.origin], walk.sha256);
  const earlier = elsewhere === null ? '' : ', for an earlier log whose key is trusted';
  return `${pick.capper} signed it with key ${fingerprint(pick.author.key)}, ${chainOf(proof.keys)}${earlier}.`;
}

/**
 * Returns the logs for which a signature counts: the receipt's, and each one with a trusted key. A log that `new-origin` began has picks
 * and keys that were signed for the log before it.
 */
function originsUnder({ receipt, trust }: ReceiptWalk): string[] {
  return [...new Set([receipt.proof.origin, ...trust.keys.map(({ name }) => name)])];
}

/** Checks the entry that added a key, the key's signatures, and the endorsement by the previous key. */
async function keyIsOfCapper(
  walk: ReceiptWalk,
  proof: KeyProof,
  before: KeyProof | undefined,
): Promise<void> {
  const { receipt, trust, sha256 } = walk;
  const { body } = proof;
  const entry = parseEntry(proof.entry);
  must(
    entry.kind === 'capper_key' &&
      entry.seq === proof.seq &&
      entry.hash === bodyHash('capper_key', body, sha256),
    `Entry ${proof.seq} of the log did not add this key.`,
  );
  await entryIsInLog({ receipt, proof, trust, sha256 });
  must(body.capper === receipt.pick.capper, `The key of entry ${proof.seq} belongs to ${body.capper}.`);
  must(body.action === 'add', `Entry ${proof.seq} revoked a key.`);
  must(
    body.endorsed_by === (before === undefined ? null : idOfKey(before.body.key, sha256)),
    `The key of entry ${proof.seq} is not endorsed by the key before it in the receipt.`,
  );
  must(before === undefined || before.seq < proof.seq, 'A key was endorsed by a key that was added later.');
  const fault = await keyFault(body, before?.body.key ?? null, originsUnder(walk), sha256);
  must(fault === null, `The key of entry ${proof.seq} is not valid: ${fault}.`);
}

function chainOf(keys: readonly KeyProof[]): string {
  const [{ body, seq }] = keys as [KeyProof];
  const since =
    keys.length === 1
      ? `which entry ${seq} added at ${body.at}`
      : `endorsed by earlier keys since ${body.at}`;
  return body.first ? since : `${since}; no earlier key of the capper signed for it`;
}

/**
 * Returns why the signatures of a change of a capper's keys are invalid, or null.
 * @param endorser the public key (base64) that `endorsed_by` names; null if none
 * @param origins of the log, and of earlier logs that it continues
 */
export async function keyFault(
  body: CapperKeyBody,
  endorser: string | null,
  origins: readonly string[],
  sha256?: Sha256,
): Promise<string | null> {
  const { capper, action, key, purpose, at } = body;
  const isBy = async (signer: string, signature: string) => {
    for (const origin of origins) {
      const statement: KeyStatement = { origin, capper, action, key, purpose, at };
      if (await isSigned('key-statement/v1', statement, signer, signature, sha256)) return true;
    }
    return false;
  };
  if (body.possession !== null && !(await isBy(body.key, body.possession)))
    return `it has not signed the statement that adds it to the log ${origins[0]}`;
  if (body.endorsement === null) return null;
  if (endorser === null || idOfKey(endorser, sha256) !== body.endorsed_by) return 'its endorser is unknown';
  return (await isBy(endorser, body.endorsement))
    ? null
    : `its endorser has not signed the statement for the log ${origins[0]}`;
}
