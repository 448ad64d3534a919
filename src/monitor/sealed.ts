import { type Bodies, bodyHash } from '../proof/bodies.ts';

export class NotSealed extends Error {}

/** @throws NotSealed if the body has another hash */
export function sealed<K extends keyof Bodies>(kind: K, body: unknown, hash: string): Bodies[K] {
  let found: string;
  try {
    found = bodyHash(kind, body as Bodies[K]);
  } catch (error) {
    throw new NotSealed((error as Error).message);
  }
  if (found !== hash) throw new NotSealed(`the log answers with another body than the one sealed as ${hash}`);
  return body as Bodies[K];
}
