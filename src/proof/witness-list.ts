import { COSIGNATURE, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** A witness that a log asks for cosignatures. */
export interface Witness {
  key: VerifierKey;
  /** Its submission prefix: `add-checkpoint` stands below it (C2SP tlog-witness). */
  url: string;
}

/**
 * Reads a list of witnesses, written `<verifier key> <address>` and separated by commas. An empty text is an empty list.
 *
 * @throws SyntaxError that names the witness that cannot be read
 */
export function parseWitnessList(text: string): Witness[] {
  if (text.trim() === '') return [];
  const witnesses = text.split(',').map(parseWitness);
  if (new Set(witnesses.map(({ key }) => key.name)).size < witnesses.length)
    throw new SyntaxError('names a witness twice');
  return witnesses;
}

function parseWitness(text: string): Witness {
  const [written = '', url = '', ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0 || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new SyntaxError(`must be written <verifier key> <address>, not ${JSON.stringify(text.trim())}`);
  const key = parseVerifierKey(written);
  if (key.type !== COSIGNATURE) throw new SyntaxError(`names ${key.name}, which is not a witness's key`);
  return { key, url: url.replace(/\/+$/, '') };
}
