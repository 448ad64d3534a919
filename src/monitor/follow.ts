import { createHash } from 'node:crypto';
import { bodyHash, checkBody } from '../proof/bodies.ts';
import { openCheckpoint, parseCheckpoint } from '../proof/checkpoint.ts';
import { verifyConsistency } from '../proof/consistency.ts';
import { fromHex, fromUtf8, hex } from '../proof/encoding.ts';
import type { Entry } from '../proof/entry.ts';
import { followKeys } from '../proof/key-announcement.ts';
import { parseNote } from '../proof/signed-note.ts';
import { append, leafHash, rootOf } from '../proof/tree.ts';
import { parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { type Chains, type Finding as EntryFinding, judge } from './chains.ts';
import { type LogClient, LogUnreadable } from './log-client.ts';

/** How far a monitor has come with a log; plain JSON, kept in a file. */
export interface MonitorState extends Chains {
  version: 1;
  origin: string;
  /** The log's verifier keys that were trusted from the beginning. */
  trusted: string[];
  /** The log's announcements of keys so far: what follows from a trusted one is trusted too. */
  announcements: string[];
  /** The newest checkpoint that was verified, and what its tree needs to go on: null before the first one. */
  seen: { size: number; root: string; frontier: string[]; checkpoint: string } | null;
}

export interface Finding {
  /**
   * Beside those of entries: `fork`: two trees were signed that cannot be one log's. `older`: the log shows a smaller checkpoint than
   * before. `signature`: no trusted key has signed the checkpoint. `key`: a key was announced that does not follow from the one before.
   */
  kind: EntryFinding['kind'] | 'fork' | 'older' | 'signature' | 'key';
  seq?: number;
  message: string;
  /** Of a fork: the signed notes that prove it. */
  evidence?: string[];
}

export interface Look {
  /** To be kept; the same as before when what the log shows must not be believed. */
  state: MonitorState;
  findings: Finding[];
  /** Entries that were read. */
  entries: number;
  size: number;
}

/** The state of a monitor that trusts these keys and has seen nothing yet. */
export function newState(origin: string, trusted: readonly string[]): MonitorState {
  return { version: 1, origin, trusted: [...trusted], announcements: [], seen: null, cappers: {}, open: {} };
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/**
 * Looks at a log once: reads its newest checkpoint and every entry since the last one seen, makes the tree of them and compares. That the
 * same frontier leads to the new root is proof that nothing before was changed, so no proof of the log's own is needed.
 * @param onProgress called with the number of entries read so far
 * @throws LogUnreadable when the log is away or answers nonsense
 */
export async function look(
  log: LogClient,
  before: MonitorState,
  onProgress: (entries: number) => void = () => {},
): Promise<Look> {
  const note = await log.checkpoint();
  let claimed: { origin: string; size: number; root: Uint8Array };
  try {
    claimed = parseCheckpoint(parseNote(note).text);
  } catch (error) {
    return nothingNew(before, { kind: 'signature', message: `the checkpoint is malformed: ${text(error)}` });
  }
  if (before.seen !== null && claimed.size <= before.seen.size) return lookBack(log, before, note, claimed);
  return lookOn(log, before, note, claimed, onProgress);
}

/** The checkpoint is not larger than the one seen last: the same one, an older one, or another log's. */
async function lookBack(
  log: LogClient,
  before: MonitorState,
  note: string,
  claimed: { size: number; root: Uint8Array },
): Promise<Look> {
  const seen = before.seen!;
  const unsigned = await signatureFault(note, before);
  if (unsigned !== null) return nothingNew(before, unsigned);
  if (claimed.size === seen.size) {
    if (hex(claimed.root) === seen.root) return nothingNew(before);
    return nothingNew(before, fork(`two different trees of ${seen.size} entries were signed`, seen, note));
  }
  const hashes = (await log.consistency(claimed.size, seen.size)).map(fromHex);
  const proof = { from: claimed.size, to: seen.size, hashes };
  if (!verifyConsistency(claimed.root, fromHex(seen.root), proof, sha256))
    return nothingNew(
      before,
      fork(`the tree of ${claimed.size} entries is not the beginning of that of ${seen.size}`, seen, note),
    );
  return nothingNew(before, {
    kind: 'older',
    message: `the log shows ${claimed.size} entries, but has signed ${seen.size} before`,
  });
}

async function lookOn(
  log: LogClient,
  before: MonitorState,
  note: string,
  claimed: { size: number; root: Uint8Array },
  onProgress: (entries: number) => void,
): Promise<Look> {
  const state = structuredClone(before);
  const findings: Finding[] = [];
  const frontier = {
    size: before.seen?.size ?? 0,
    hashes: (before.seen?.frontier ?? []).map(fromHex),
  };
  const first = frontier.size;
  for await (const bundle of log.entries(first, claimed.size)) {
    for (const bytes of bundle) {
      const seq = frontier.size;
      append(frontier, leafHash(bytes, sha256), sha256);
      const judged = judge(state, fromUtf8(bytes), seq);
      findings.push(...judged.findings);
      if (judged.entry?.kind === 'key') findings.push(...(await hearKey(log, state, judged.entry)));
    }
    onProgress(frontier.size - first);
  }
  const entries = frontier.size - first;
  const unsigned = await signatureFault(note, state);
  if (unsigned !== null) return { ...nothingNew(before, unsigned), entries };
  const root = hex(rootOf(frontier, sha256));
  if (root !== hex(claimed.root)) {
    const message = `its entries lead to the root ${root}, but it has signed ${hex(claimed.root)}`;
    return { ...nothingNew(before, fork(message, before.seen, note)), entries };
  }
  state.seen = { size: claimed.size, root, frontier: frontier.hashes.map(hex), checkpoint: note };
  return { state, findings, entries, size: claimed.size };
}

/** Keeps an announcement of a key: a new one is trusted when the one before it has signed for it. */
async function hearKey(log: LogClient, state: MonitorState, entry: Entry): Promise<Finding[]> {
  const fault = (error: unknown): Finding[] => [
    { kind: 'key', seq: entry.seq, message: `a key was announced that is not trusted: ${text(error)}` },
  ];
  let body: unknown;
  try {
    body = await log.body(entry.seq);
    checkBody('key', body);
    if (bodyHash('key', body, sha256) !== entry.hash)
      throw new Error('its body is not the one that the entry names');
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    return fault(error);
  }
  state.announcements.push(body.note);
  const { fault: unfollowed } = await trustedKeys(state);
  return unfollowed === null ? [] : fault(unfollowed);
}

/** The keys that are trusted now, and why an announcement does not follow from any of those trusted before. */
async function trustedKeys({
  trusted,
  announcements,
}: MonitorState): Promise<{ keys: VerifierKey[]; fault: unknown }> {
  const keys: VerifierKey[] = [];
  const faults: unknown[] = [];
  for (const written of trusted) {
    const key = parseVerifierKey(written);
    try {
      keys.push(...(await followKeys(key, announcements)));
    } catch (error) {
      keys.push(key);
      faults.push(error);
    }
  }
  return { keys, fault: faults.length < trusted.length ? null : (faults[0] ?? null) };
}

async function signatureFault(note: string, state: MonitorState): Promise<Finding | null> {
  try {
    await openCheckpoint(note, state.origin, (await trustedKeys(state)).keys);
    return null;
  } catch (error) {
    return { kind: 'signature', message: `the checkpoint is not to be trusted: ${text(error)}` };
  }
}

function fork(message: string, seen: MonitorState['seen'], note: string): Finding {
  return { kind: 'fork', message, evidence: seen === null ? [note] : [seen.checkpoint, note] };
}

function nothingNew(state: MonitorState, ...findings: Finding[]): Look {
  return { state, findings, entries: 0, size: state.seen?.size ?? 0 };
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
