// What the package offers in Node, browsers, Deno, and Bun.

import { type LogClient, openLog } from '../../../src/monitor/log-client.ts';
import type { SignableBet } from '../../../src/proof/author-statements.ts';
import type { Trust } from '../../../src/proof/receipt-walk.ts';
import { type Verification, verifyReceipt } from '../../../src/proof/verify-receipt.ts';
import {
  type CallOptions,
  type Calls,
  callsOf,
  type Item,
  itemsOf,
  type Operations,
  type Paged,
} from './api.ts';
import { type Author, postPick } from './author.ts';
import { type EventOptions, eventsOf, type PickEvent } from './events.ts';

export { LogUnreadable, openLog, verifierKeysIn } from '../../../src/monitor/log-client.ts';
export { openAcknowledgement } from '../../../src/proof/acknowledgement.ts';
export {
  keyAddition,
  pickIntent,
  type SignableBet,
  signedPick,
} from '../../../src/proof/author-statements.ts';
export { checkPromise } from '../../../src/proof/check-acknowledgement.ts';
export { openCheckpoint, parseCheckpoint } from '../../../src/proof/checkpoint.ts';
export { verifyConsistency } from '../../../src/proof/consistency.ts';
export { fromHex, hex } from '../../../src/proof/encoding.ts';
export { verifyInclusion } from '../../../src/proof/inclusion.ts';
export { followKeys } from '../../../src/proof/key-announcement.ts';
export type { Receipt } from '../../../src/proof/receipt.ts';
export type { Trust } from '../../../src/proof/receipt-walk.ts';
export { parseNote } from '../../../src/proof/signed-note.ts';
export { parseStrictJson } from '../../../src/proof/strict-json.ts';
export { shownVerdicts } from '../../../src/proof/verdicts.ts';
export { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../../src/proof/verifier-key.ts';
export { type Verification, verifyReceipt } from '../../../src/proof/verify-receipt.ts';
export * from './api.ts';
export { type Author, authorKey } from './author.ts';
export type { EventOptions, PickEvent } from './events.ts';
export * from './webhook.ts';

/** A service: every operation of its API as a function, and what is built of them. */
export interface Client extends Calls {
  /** Yields the items of all pages, in order. */
  items<N extends Paged>(
    operation: N,
    params?: Operations[N]['params'],
    options?: CallOptions,
  ): AsyncGenerator<Item<N>, void, undefined>;
  /** Yields the events of the log as they happen, and reconnects without missing or repeating one. */
  events(
    params?: Omit<Operations['followPicks']['params'], 'Last-Event-ID'>,
    options?: EventOptions,
  ): AsyncGenerator<PickEvent, void, undefined>;
  /** Fetches a pick's receipt and verifies it. Get the log's key from another source than the service. */
  verify(uuid: string, trust: Trust): Promise<Verification>;
  /** Signs a pick with its author's key and posts it. */
  post(author: Author, bet: SignableBet): Promise<Operations['postSignedPick']['answer']>;
  /** The published log: checkpoint, entries, bodies, and proofs. */
  log: LogClient;
}

/**
 * Opens a service.
 * @param address such as `https://picks.example`
 * @param options `fetch`: sends each request of the API
 */
export function createClient(address: string, options: { fetch?: typeof fetch } = {}): Client {
  const service = { address, ...options };
  const calls = callsOf(service);
  return {
    ...calls,
    items: (operation, params = {} as never, given = {}) => itemsOf(calls, operation, params, given),
    events: (params = {}, given = {}) => eventsOf(service, params, given),
    verify: async (uuid, trust) => verifyReceipt(await calls.getPickReceipt({ uuid }), trust),
    post: (author, bet) => postPick(calls, author, bet),
    log: openLog(address),
  };
}
