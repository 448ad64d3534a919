import { COSIGNATURE, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** A witness that the log requests cosignatures from. */
export interface Witness {
  key: VerifierKey;
  /** Submission prefix; requests go to `<prefix>/add-checkpoint` (C2SP tlog-witness). */
  url: string;
}

/**
 * Parses a comma-separated list of `<verifier key> <address>`; may be empty.
 *
 * @throws SyntaxError naming the invalid witness
 */
export function parseWitnessList(text: string): Witness[] {
  if (text.trim() === '') return [];
  const witnesses = text.split(',').map(parseWitness);
  if (new Set(witnesses.map(({ key }) => key.name)).size < witnesses.length)
    throw new SyntaxError('names a witness twice');
  return witnesses;
}

function parseWitness(text: string): Witness {
  const [vkey = '', url = '', ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0 || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new SyntaxError(`must be written <verifier key> <address>, not ${JSON.stringify(text.trim())}`);
  const key = parseVerifierKey(vkey);
  if (key.type !== COSIGNATURE) throw new SyntaxError(`names ${key.name}, which is not a witness's key`);
  return { key, url: url.replace(/\/+$/, '') };
}
