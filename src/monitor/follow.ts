import { openCheckpoint, parseCheckpoint } from '../proof/checkpoint.ts';
import { verifyConsistency } from '../proof/consistency.ts';
import type { DataFile } from '../proof/data-index.ts';
import { fromHex, fromUtf8, hex } from '../proof/encoding.ts';
import type { Entry } from '../proof/entry.ts';
import { followKeys } from '../proof/key-announcement.ts';
import { parseNote } from '../proof/signed-note.ts';
import { append, leafHash, rootOf } from '../proof/tree.ts';
import { parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { followKey } from './authors.ts';
import { type Chains, type Checked, checkEntry, type Finding as EntryFinding } from './chains.ts';
import { type DataFinding, judgeFiles, listedFiles } from './data-files.ts';
import { type LogClient, LogUnreadable } from './log-client.ts';
import { isOfGame, judgeBodies, judgeOpen, learnGames, type PickFinding, type PickMemory } from './picks.ts';
import { judgeSettled, noPrices } from './prices.ts';
import { checkPromises, type PromiseFinding, type Promises } from './promises.ts';
import { sealed } from './sealed.ts';
import { sha256 } from './sha256.ts';

/** State of a monitor: plain JSON, stored in a file between polls. */
export interface MonitorState extends Chains, PickMemory {
  version: 1;
  origin: string;
  trusted: string[];
  /** Key announcements in the log so far. A key announced by a trusted key is trusted too. */
  announcements: string[];
  files: DataFile[];
  /** The latest verified checkpoint, and the frontier of its tree, to which new entries are appended. Null before the first one. */
  seen: { size: number; root: string; frontier: string[]; checkpoint: string } | null;
  promises: Promises;
}

export interface PollOptions {
  /** The monitor's clock, in epoch milliseconds. */
  now: number;
  /** Also judges entries from before the first poll, at a cost of two requests per entry. Late sealing cannot be detected for them. */
  history?: boolean;
  acknowledgements?: readonly string[];
  onProgress?: (entries: number) => void;
}

export interface Finding {
  /**
   * Beyond the kinds of entries and picks: `fork`: the log has signed two trees, neither of which extends the other. `older`: the log
   * serves a smaller checkpoint than before. `signature`: no trusted key signed the checkpoint. `key`: no trusted key signed the
   * announcement of a new one. `promise`: an acknowledgement was broken.
   */
  kind:
    | EntryFinding['kind']
    | PickFinding['kind']
    | PromiseFinding['kind']
    | DataFinding['kind']
    | 'fork'
    | 'older'
    | 'signature'
    | 'key';
  seq?: number;
  message: string;
  evidence?: string[];
}

export interface PollResult {
  /** The state to store. Unchanged if the log's answer failed verification. */
  state: MonitorState;
  findings: Finding[];
  entries: number;
  size: number;
}

/** Returns the state before the first poll. @param earlier origins of the logs that this one continues */
export function newState(
  origin: string,
  trusted: readonly string[],
  earlier: readonly string[] = [],
): MonitorState {
  return {
    version: 1,
    origin,
    trusted: [...trusted],
    announcements: [],
    files: [],
    seen: null,
    cappers: {},
    open: {},
    games: {},
    prices: noPrices(),
    origins: [origin, ...earlier],
    authors: {},
    scores: {},
    promises: {},
  };
}

/**
 * Polls a log once: reads its latest checkpoint and every entry since the last verified one, and recomputes the root. A root computed from
 * the stored frontier proves that no earlier entry changed, so the log need not prove consistency. Then judges the new entries, and finds
 * missing ones.
 * @param state is not modified
 * @throws LogUnreadable if the log is unavailable or its answer is malformed
 */
export async function poll(log: LogClient, state: MonitorState, options: PollOptions): Promise<PollResult> {
  const result = await pollTree(log, state, options);
  // These findings make the rest of the log's answer untrustworthy.
  const distrusted = result.findings.some(
    ({ kind }) => kind === 'fork' || kind === 'older' || kind === 'signature',
  );
  return distrusted || result.state.seen === null ? result : await judgeMissing(log, result, options);
}

async function pollTree(log: LogClient, state: MonitorState, options: PollOptions): Promise<PollResult> {
  const note = await log.checkpoint();
  let claimed: { origin: string; size: number; root: Uint8Array };
  try {
    claimed = parseCheckpoint(parseNote(note).text);
  } catch (error) {
    return unchanged(state, { kind: 'signature', message: `the checkpoint is malformed: ${text(error)}` });
  }
  if (state.seen !== null && claimed.size <= state.seen.size)
    return checkNotLarger(log, state, note, claimed);
  return readNewEntries(log, state, note, claimed, options);
}

async function judgeMissing(
  log: LogClient,
  result: PollResult,
  { now, acknowledgements = [] }: PollOptions,
): Promise<PollResult> {
  const state = structuredClone(result.state);
  const { keys } = await trustedKeys(state);
  const { origin, promises, seen } = state;
  const known = { origin, keys, tree: seen!, promises };
  const findings = [
    ...judgeOpen(state, now),
    ...(await checkPromises(log, acknowledgements, known, now)),
    ...(await judgeSettled(log, state.prices, known, now)),
  ];
  // A poll without new entries also shows what was not yet in the log.
  state.polledAt = now;
  return { ...result, state, findings: [...result.findings, ...findings] };
}

/** Handles a checkpoint no larger than the last verified one: the same one, an older one, or that of a fork. */
async function checkNotLarger(
  log: LogClient,
  state: MonitorState,
  note: string,
  claimed: { size: number; root: Uint8Array },
): Promise<PollResult> {
  const seen = state.seen!;
  const unsigned = await signatureFault(note, state);
  if (unsigned !== null) return unchanged(state, unsigned);
  if (claimed.size === seen.size) {
    if (hex(claimed.root) === seen.root) return unchanged(state);
    return unchanged(
      state,
      fork(`the log has signed two different trees of ${seen.size} entries`, seen, note),
    );
  }
  const hashes = (await log.consistency(claimed.size, seen.size)).map(fromHex);
  const proof = { from: claimed.size, to: seen.size, hashes };
  if (!verifyConsistency(claimed.root, fromHex(seen.root), proof, sha256))
    return unchanged(
      state,
      fork(`the tree of ${seen.size} entries does not extend that of ${claimed.size}`, seen, note),
    );
  return unchanged(state, {
    kind: 'older',
    message: `the log serves a checkpoint of ${claimed.size} entries, but it has signed one of ${seen.size}`,
  });
}

async function readNewEntries(
  log: LogClient,
  before: MonitorState,
  note: string,
  claimed: { size: number; root: Uint8Array },
  { now, history = false, onProgress = () => {} }: PollOptions,
): Promise<PollResult> {
  const state = structuredClone(before);
  const findings: Finding[] = [];
  const aboutGames: Entry[] = [];
  const isJudged = before.seen !== null || history;
  const frontier = {
    size: before.seen?.size ?? 0,
    hashes: (before.seen?.frontier ?? []).map(fromHex),
  };
  const first = frontier.size;
  for await (const bundle of log.entries(first, claimed.size)) {
    const run: Checked[] = [];
    for (const bytes of bundle) {
      const seq = frontier.size;
      append(frontier, leafHash(bytes, sha256), sha256);
      const checked = checkEntry(state, fromUtf8(bytes), seq);
      findings.push(...checked.findings);
      run.push(checked);
      if (checked.entry?.kind === 'key') findings.push(...(await acceptKey(log, state, checked.entry)));
      if (checked.entry?.kind === 'data')
        try {
          const { keys } = await trustedKeys(state);
          const known = { origin: state.origin, keys, known: state.files };
          state.files = await listedFiles(checked.entry, await log.body(seq), known);
        } catch (error) {
          if (error instanceof LogUnreadable) throw error;
          findings.push({ kind: 'data', seq, message: text(error) });
        }
      if (checked.entry?.kind === 'capper_key') {
        const faults = await followKey(state.authors, state.origins, checked.entry, await log.body(seq));
        findings.push(...faults.map((fault) => ({ ...fault, seq })));
      }
    }
    if (isJudged) findings.push(...(await judgeBodies(log, state, run, now)));
    else
      aboutGames.push(...run.flatMap(({ entry }) => (entry !== undefined && isOfGame(entry) ? entry : [])));
    onProgress(frontier.size - first);
  }
  const entries = frontier.size - first;
  const unsigned = await signatureFault(note, state);
  if (unsigned !== null) return { ...unchanged(before, unsigned), entries };
  const root = hex(rootOf(frontier, sha256));
  if (root !== hex(claimed.root)) {
    const message = `the entries have the root ${root}, but the log has signed ${hex(claimed.root)}`;
    return { ...unchanged(before, fork(message, before.seen, note)), entries };
  }
  state.seen = { size: claimed.size, root, frontier: frontier.hashes.map(hex), checkpoint: note };
  if (!isJudged) findings.push(...(await learnGames(log, state, aboutGames)));
  // A name belongs to one file for good, so only names that no earlier poll saw are new.
  const read = new Set(before.files.map(({ name }) => name));
  const added = isJudged ? state.files.filter(({ name }) => !read.has(name)) : [];
  findings.push(...(await judgeFiles(log, added)));
  return { state, findings, entries, size: claimed.size };
}

/** The new key is trusted only if a trusted key signed the announcement. */
async function acceptKey(log: LogClient, state: MonitorState, entry: Entry): Promise<Finding[]> {
  const fault = (error: unknown): Finding[] => [
    { kind: 'key', seq: entry.seq, message: `an untrusted key was announced: ${text(error)}` },
  ];
  try {
    state.announcements.push(sealed('key', await log.body(entry.seq), entry.hash).note);
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    return fault(error);
  }
  const { fault: untrusted } = await trustedKeys(state);
  return untrusted === null ? [] : fault(untrusted);
}

/** Returns the trusted keys. `fault` is set if no initially trusted key leads to all announced ones. */
async function trustedKeys({
  trusted,
  announcements,
}: MonitorState): Promise<{ keys: VerifierKey[]; fault: unknown }> {
  const keys: VerifierKey[] = [];
  const faults: unknown[] = [];
  for (const vkey of trusted) {
    const key = parseVerifierKey(vkey);
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
    return { kind: 'signature', message: `the checkpoint cannot be trusted: ${text(error)}` };
  }
}

function fork(message: string, seen: MonitorState['seen'], note: string): Finding {
  return { kind: 'fork', message, evidence: seen === null ? [note] : [seen.checkpoint, note] };
}

function unchanged(state: MonitorState, ...findings: Finding[]): PollResult {
  return { state, findings, entries: 0, size: state.seen?.size ?? 0 };
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
