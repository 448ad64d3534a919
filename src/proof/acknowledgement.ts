import { checkBody, type PickBody } from './bodies.ts';
import { canonical, parseCanonical } from './canonical.ts';
import { instant, plainObject } from './shape.ts';
import { openNote, type Signer, signNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** A pick before it is sealed: the log gives the two numbers of the capper's chain later. */
export type PostedPick = Omit<PickBody, 'capper_seq' | 'capper_prev'>;

/**
 * The log's signed promise to seal a pick, given in the answer to posting it. Between posting and sealing it
 * is the only proof that there was a pick. It is a signed note of four lines:
 *
 *     <origin>/acknowledgement
 *     <the pick's uuid>
 *     <the instant of this answer>
 *     <canonical JSON of the pick, without capper_seq and capper_prev>
 *
 * The first line keeps it from passing for a checkpoint, which has the origin alone there.
 */
export interface Acknowledgement {
  origin: string;
  at: string;
  pick: PostedPick;
}

const PURPOSE = '/acknowledgement';

/** @throws TypeError when the pick is not one that can be sealed, or the instant is none */
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
 * @throws Error that says why it is not one of this log (SyntaxError and TypeError where it is malformed)
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
  if (end !== '' || rest.length > 0) throw new SyntaxError('the acknowledgement has not its four lines');
  instant(at, 'the instant of the acknowledgement');
  const pick = parseCanonical(body);
  checkPostedPick(pick);
  if (pick.uuid !== uuid) throw new SyntaxError('the acknowledgement names another pick than it holds');
  return { origin, at, pick };
}

/**
 * What was sealed otherwise than acknowledged: the fields that differ, none when the log kept its promise.
 */
export function brokenPromises({ pick }: Acknowledgement, sealed: PickBody): string[] {
  return (Object.keys(pick) as (keyof PostedPick)[]).filter((key) => pick[key] !== sealed[key]);
}

/** A posted pick is one that becomes a pick's body by any place in the capper's chain. */
function checkPostedPick(value: unknown): asserts value is PostedPick {
  const pick = plainObject(value, 'pick');
  if ('capper_seq' in pick || 'capper_prev' in pick)
    throw new TypeError('pick must not have its place in the log yet');
  checkBody('posted', { ...pick, capper_seq: 1, capper_prev: null });
}
