import { checkBody, type PickBody } from './bodies.ts';
import { canonical, parseCanonical } from './canonical.ts';
import { instant, plainObject } from './shape.ts';
import { openNote, type Signer, signNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** A pick before it is sealed, without its still unknown link in the capper's chain. */
export type PostedPick = Omit<PickBody, 'capper_seq' | 'capper_prev'>;

/**
 * The log's signed promise to seal a pick, returned by the request that posts it. Until the pick is sealed it
 * is the only proof that the pick was posted. It is a signed note of four lines:
 *
 *     <origin>/acknowledgement
 *     <the pick's uuid>
 *     <the instant of signing>
 *     <canonical JSON of the pick, without capper_seq and capper_prev>
 *
 * The suffix in the first line keeps it distinct from a checkpoint, whose first line is the bare origin.
 */
export interface Acknowledgement {
  origin: string;
  at: string;
  pick: PostedPick;
}

const PURPOSE = '/acknowledgement';

/** Signs an acknowledgement. @throws TypeError if the pick cannot be sealed, or `at` is not an instant */
export function signAcknowledgement(
  { origin, at, pick }: Acknowledgement,
  signers: readonly Signer[],
): Promise<string> {
  instant(at, 'at');
  checkPostedPick(pick);
  return signNote(`${origin}${PURPOSE}\n${pick.uuid}\n${at}\n${canonical(pick)}\n`, signers);
}

/**
 * Verifies an acknowledgement.
 *
 * @throws SyntaxError or TypeError if it is malformed
 * @throws Error if the log has not signed it, or it belongs to another log
 */
export async function openAcknowledgement(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<Acknowledgement> {
  const logKeys = keys.filter(({ name }) => name === origin);
  const { text } = await openNote(note, logKeys);
  const [purpose, uuid, at = '', body = '', end, ...rest] = text.split('\n');
  if (purpose !== origin + PURPOSE) throw new Error(`the note is not an acknowledgement of ${origin}`);
  if (end !== '' || rest.length > 0)
    throw new SyntaxError('the acknowledgement does not have exactly four lines');
  instant(at, 'the instant of the acknowledgement');
  const pick = parseCanonical(body);
  checkPostedPick(pick);
  if (pick.uuid !== uuid) throw new SyntaxError('the uuid of the acknowledgement is not that of its pick');
  return { origin, at, pick };
}

/** Returns the fields in which the sealed pick differs from the acknowledged one. None: the log kept its promise. */
export function brokenPromises({ pick }: Acknowledgement, sealed: PickBody): string[] {
  const keys = Object.keys(pick) as (keyof PostedPick)[];
  return keys.filter((key) => canonical(pick[key]) !== canonical(sealed[key]));
}

/** Checks that the pick becomes a valid body once it is linked into the capper's chain. */
function checkPostedPick(value: unknown): asserts value is PostedPick {
  const pick = plainObject(value, 'pick');
  if ('capper_seq' in pick || 'capper_prev' in pick)
    throw new TypeError('pick must not have capper_seq or capper_prev before it is sealed');
  checkBody('posted', { ...pick, capper_seq: 1, capper_prev: null });
}
