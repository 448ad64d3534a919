import type { Entry } from '../proof/entry.ts';
import { parseEntry } from '../proof/entry.ts';

/** Something that a log must not do, found in its entries. */
export interface Finding {
  /**
   * `gap`: a capper's picks are not numbered one after the other. `chain`: an event does not follow from the one before. `entry`: an
   * entry is malformed or out of place.
   */
  kind: 'gap' | 'chain' | 'entry';
  seq: number;
  message: string;
}

/** What must be remembered of a log's entries to judge the next ones. */
export interface Chains {
  /** By handle: the number of the capper's last pick. */
  cappers: Record<string, number>;
  /** By uuid, the picks that have not settled: who posted it, its number, its last event and that one's hash. */
  open: Record<string, { capper: string; number: number; kind: 'posted' | 'closed'; hash: string }>;
}

/**
 * Judges one entry of the log and remembers it in `chains`. Every capper's picks are numbered from 1 without a gap, so that a pick that was
 * taken out leaves a hole; and every event of a pick names the hash of the one before (decisions, section 4).
 */
export function judge(chains: Chains, text: string, seq: number): { entry?: Entry; findings: Finding[] } {
  let entry: Entry;
  try {
    entry = parseEntry(text);
  } catch (error) {
    return { findings: [{ kind: 'entry', seq, message: (error as Error).message }] };
  }
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], message: string) => findings.push({ kind, seq, message });
  if (entry.seq !== seq) find('entry', `it calls itself entry ${entry.seq}`);
  if (entry.kind === 'posted') judgePosted(chains, entry, find);
  else if (entry.kind === 'closed' || entry.kind === 'settled')
    judgeFollowing(chains, entry, entry.kind, find);
  return { entry, findings };
}

type Find = (kind: Finding['kind'], message: string) => void;

function judgePosted(chains: Chains, entry: Entry, find: Find): void {
  const capper = entry.capper!;
  const number = entry.capper_seq!;
  const expected = (Object.hasOwn(chains.cappers, capper) ? chains.cappers[capper]! : 0) + 1;
  if (number !== expected)
    find('gap', `${capper}'s pick number ${number} comes where number ${expected} must`);
  chains.cappers[capper] = Math.max(number, expected);
  if (Object.hasOwn(chains.open, entry.uuid!)) find('chain', `pick ${entry.uuid} was posted twice`);
  chains.open[entry.uuid!] = { capper, number, kind: 'posted', hash: entry.hash };
}

function judgeFollowing(chains: Chains, entry: Entry, kind: 'closed' | 'settled', find: Find): void {
  const before = Object.hasOwn(chains.open, entry.uuid!) ? chains.open[entry.uuid!] : undefined;
  if (before === undefined) {
    find('chain', `pick ${entry.uuid} was ${kind}, but is not open`);
    return;
  }
  if (kind === 'closed' && before.kind === 'closed') find('chain', `pick ${entry.uuid} was closed twice`);
  if (entry.prev !== before.hash)
    find('chain', `the ${kind} event of pick ${entry.uuid} does not name the ${before.kind} one before it`);
  if (entry.capper !== before.capper || entry.capper_seq !== before.number)
    find('chain', `pick ${entry.uuid} is number ${before.number} of ${before.capper}, not as it says here`);
  if (kind === 'settled') delete chains.open[entry.uuid!];
  else before.kind = 'closed';
  before.hash = entry.hash;
}
