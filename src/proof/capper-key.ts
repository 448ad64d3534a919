import { type Author, type PickBody, signable } from './bodies.ts';
import { canonical } from './canonical.ts';
import { verify } from './ed25519.ts';
import { base64, fromBase64, hex, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { instant, nonce, nullable, type Of, oneOf, publicKey, shape, text } from './shape.ts';

/**
 * Statements that a capper signs with their own Ed25519 key (docs/rules/author-keys.md): picks before they are posted, changes of their
 * keys, and their profile. A signature covers the 32 bytes of `SHA-256(utf8("public-picks/" + tag) || 0x00 || JCS(object))`.
 */

/** Tolerated difference between the clocks of an author and the log, in ms. */
export const clocksApartMs = 120_000;

/** The name of the log that a statement is made for. Every other log refuses it. */
const origin = text;

const statements = {
  /** A pick as its author signs it, in the units of its body. */
  'pick-intent/v1': shape({ origin, ...signable, starts_at: instant, nonce, at: instant }),
  'key-statement/v1': shape({
    origin,
    capper: text,
    action: oneOf('add', 'revoke'),
    key: publicKey,
    /** `device`: signs picks. `recovery`: kept offline, signs only new keys and revocations. */
    purpose: oneOf('device', 'recovery'),
    at: instant,
  }),
  /** A capper's public profile. Null: nothing is shown. */
  'profile/v1': shape({
    origin,
    capper: text,
    display_name: nullable(text),
    link: nullable(text),
    about: nullable(text),
    at: instant,
  }),
};

type Statements = { [Tag in keyof typeof statements]: Of<(typeof statements)[Tag]> };
export type PickIntent = Statements['pick-intent/v1'];
export type KeyStatement = Statements['key-statement/v1'];
export type ProfileStatement = Statements['profile/v1'];

/** Returns the 32 bytes that a signature covers. @throws TypeError naming the invalid key */
export function signedBytes<Tag extends keyof Statements>(
  tag: Tag,
  statement: Statements[Tag],
  sha256: Sha256 = defaultSha256,
): Uint8Array {
  statements[tag](statement, tag);
  return sha256(utf8(`public-picks/${tag}\0${canonical(statement)}`));
}

/**
 * Reports whether the holder of a public key (base64) signed a statement. Malformed keys, statements, and signatures are invalid, not
 * errors.
 */
export async function isSigned<Tag extends keyof Statements>(
  tag: Tag,
  statement: Statements[Tag],
  key: string,
  signed: string,
  sha256: Sha256 = defaultSha256,
): Promise<boolean> {
  try {
    return await verify(fromBase64(key), signedBytes(tag, statement, sha256), fromBase64(signed));
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Returns the id of a public key in base64. @throws SyntaxError if it is not base64 */
export function idOfKey(key: string, sha256: Sha256 = defaultSha256): string {
  return hex(sha256(fromBase64(key)));
}

export function keyText(key: Uint8Array): string {
  return base64(key);
}

/** Returns an id in a form that people can compare: its first 16 digits in groups of four. */
export function fingerprint(id: string): string {
  return id.slice(0, 16).match(/.{4}/g)!.join(' ');
}

/** Returns the intent that a pick's signature covers in a log. @throws TypeError if the pick has no signature or no start */
export function intentOf(pick: Omit<PickBody, 'capper_seq' | 'capper_prev'>, origin: string): PickIntent {
  if (pick.author === null) throw new TypeError('the pick has no signature');
  if (pick.starts_at === null) throw new TypeError('the pick has no start');
  const signed = Object.fromEntries(
    Object.keys(signable).map((key) => [key, pick[key as keyof typeof signable]]),
  );
  const { nonce, at } = pick.author;
  const subject = pick.author.subject ?? pick.subject;
  return { origin, ...signed, subject, starts_at: pick.starts_at, nonce, at } as PickIntent;
}

/**
 * Reports whether two spellings name one subject: they differ only in case, accents, and punctuation that is not next to a digit, or one of
 * them leaves out a suffix such as Jr.
 */
export function isSameSubject(one: string, other: string): boolean {
  const [a, b] = [subjectLetters(one), subjectLetters(other)];
  const base = (form: string) => form.replace(/ (?:jr|sr|ii|iii|iv)$/, '');
  const key = (form: string) => form.replaceAll(' ', '');
  return key(a) === key(b) || ((base(a) === a) !== (base(b) === b) && key(base(a)) === key(base(b)));
}

function subjectLetters(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u02b9-\u02bf]/g, "'")
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<![\p{N}])[^\p{L}\p{N}]+(?![\p{N}])/gu, (run) => (/^['’.-]+$/.test(run) ? '' : ' '))
    .trim();
}

/**
 * Returns why a pick's signature is invalid, or null.
 * @param key the public key (base64) whose id the pick names
 * @param origins of the log, and of earlier logs that it continues
 */
export async function signatureFault(
  pick: Omit<PickBody, 'capper_seq' | 'capper_prev'> & { author: Author },
  key: string,
  origins: readonly string[],
  sha256: Sha256 = defaultSha256,
): Promise<string | null> {
  if (idOfKey(key, sha256) !== pick.author.key) return 'the pick names another key';
  if (pick.author.subject !== null && !isSameSubject(pick.author.subject, pick.subject ?? ''))
    return `its subject is not the one that was signed, ${JSON.stringify(pick.author.subject)}`;
  if (Math.abs(Date.parse(pick.posted_at) - Date.parse(pick.author.at)) > clocksApartMs)
    return `it was signed at ${pick.author.at}, but posted at ${pick.posted_at}`;
  for (const origin of origins)
    if (await isSigned('pick-intent/v1', intentOf(pick, origin), key, pick.author.signature, sha256))
      return null;
  return `the signature does not match this pick in the log ${origins[0]}`;
}
