import { type Bodies, bodyHash } from '../proof/bodies.ts';

/** Thrown if a body is not the one that the log sealed. */
export class NotSealed extends Error {}

/**
 * Returns the body, if it has the sealed hash.
 * @throws NotSealed if not
 */
export function sealed<K extends Exclude<keyof Bodies, 'key' | 'notice'>>(
  kind: K,
  body: unknown,
  hash: string,
): Bodies[K] {
  let found: string;
  try {
    found = bodyHash(kind, body as Bodies[K]);
  } catch (error) {
    throw new NotSealed((error as Error).message);
  }
  if (found !== hash) throw new NotSealed(`the log answers with another body than the one sealed as ${hash}`);
  return body as Bodies[K];
}
