import { type Entry, parseEntry } from '../proof/entry.ts';
import { ownValue } from '../rules/own-value.ts';

export interface Finding {
  /**
   * `gap`: a capper's picks are not numbered consecutively. `chain`: an event does not follow from the previous one of its pick. `entry`:
   * an entry is malformed or misplaced.
   */
  kind: 'gap' | 'chain' | 'entry';
  seq: number;
  message: string;
}

export interface OpenPick {
  capper: string;
  number: number;
  /** Its last event, and that event's hash. */
  kind: 'posted' | 'closed';
  hash: string;
  /** The entry that posted it, and that entry's hash. */
  seq: number;
  pickHash: string;
  /** Fields of its body, once read: see `picks.ts`. */
  game?: string;
  startsAt?: number | null;
  scored?: boolean;
  /** In epoch milliseconds. */
  closedAt?: number;
  overdue?: boolean;
}

export interface Chains {
  cappers: Record<string, number>;
  open: Record<string, OpenPick>;
}

export interface Checked {
  /** Missing if the entry is malformed. */
  entry?: Entry;
  /** Missing if the entry belongs to no known pick. */
  pick?: OpenPick;
  findings: Finding[];
}

/**
 * Checks one entry of the log and updates `chains`. Every capper's picks are numbered from 1 without gaps, so a removed pick leaves one.
 * Every event of a pick names the hash of the previous one (docs/rules/ledger.md).
 * @param seq the entry's position in the log
 */
export function checkEntry(chains: Chains, text: string, seq: number): Checked {
  let entry: Entry;
  try {
    entry = parseEntry(text);
  } catch (error) {
    return { findings: [{ kind: 'entry', seq, message: (error as Error).message }] };
  }
  const findings: Finding[] = [];
  const report = (kind: Finding['kind'], message: string) => findings.push({ kind, seq, message });
  if (entry.seq !== seq) report('entry', `its seq is ${entry.seq}`);
  let pick: OpenPick | undefined;
  if (entry.kind === 'posted') pick = checkPosted(chains, entry, report);
  else if (entry.kind === 'closed' || entry.kind === 'settled')
    pick = checkFollowing(chains, entry, entry.kind, report);
  return { entry, ...(pick !== undefined && { pick }), findings };
}

type Report = (kind: Finding['kind'], message: string) => void;

function checkPosted(chains: Chains, entry: Entry, report: Report): OpenPick {
  const capper = entry.capper!;
  const number = entry.capper_seq!;
  const expected = (ownValue(chains.cappers, capper) ?? 0) + 1;
  if (number !== expected)
    report('gap', `pick number ${number} of ${capper} is out of order: expected number ${expected}`);
  chains.cappers[capper] = Math.max(number, expected);
  if (Object.hasOwn(chains.open, entry.uuid!)) report('chain', `pick ${entry.uuid} was posted twice`);
  const { seq, hash } = entry;
  const pick: OpenPick = { capper, number, kind: 'posted', hash, seq, pickHash: hash };
  chains.open[entry.uuid!] = pick;
  return pick;
}

function checkFollowing(
  chains: Chains,
  entry: Entry,
  kind: 'closed' | 'settled',
  report: Report,
): OpenPick | undefined {
  const previous = ownValue(chains.open, entry.uuid!);
  if (previous === undefined) {
    report('chain', `pick ${entry.uuid} was ${kind}, but it is not open`);
    return undefined;
  }
  if (kind === 'closed' && previous.kind === 'closed') report('chain', `pick ${entry.uuid} was closed twice`);
  if (entry.prev !== previous.hash)
    report(
      'chain',
      `the ${kind} event of pick ${entry.uuid} does not name the hash of its ${previous.kind} event`,
    );
  if (entry.capper !== previous.capper || entry.capper_seq !== previous.number)
    report(
      'chain',
      `pick ${entry.uuid} is number ${previous.number} of ${previous.capper}, but the entry says otherwise`,
    );
  if (kind === 'settled') delete chains.open[entry.uuid!];
  else previous.kind = 'closed';
  previous.hash = entry.hash;
  return previous;
}
