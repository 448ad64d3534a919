import type { PriceCheck } from './bodies.ts';
import { parseCheckpoint } from './checkpoint.ts';
import type { SealedReceipt } from './receipt.ts';
import { parseNote } from './signed-note.ts';

/** Verdicts on a pick: the four things that a reader needs to know about it (docs/rules/verdicts.md). */
export interface Verdicts {
  inTheLog: 'sealed' | 'not_yet' | 'failed';
  beforeTheStart: 'witnessed' | 'signed' | 'late' | 'claimed' | 'pending' | 'unproven';
  price: PriceCheck['verdict'] | 'claimed' | 'pending' | 'unproven';
  postedBy: 'author' | 'operator' | 'import' | 'unproven';
}

export interface VerdictInputs {
  sealed: boolean;
  provenance: 'live' | 'imported';
  /** Null until a checkpoint covers the pick, and for a pick without a start. */
  sealedInTime: 'witnessed' | 'signed' | 'late' | null;
  /** Null before settlement, and for an imported pick. */
  price: PriceCheck['verdict'] | null;
  /** Whether the author's signature was checked against a key of the capper in the log. */
  authorVerified: boolean;
}

/** Returns the verdicts on a pick. The time and price of an imported pick are always claims. */
export function verdictsOf({
  sealed,
  provenance,
  sealedInTime,
  price,
  authorVerified,
}: VerdictInputs): Verdicts {
  const inTheLog = sealed ? 'sealed' : 'not_yet';
  if (provenance === 'imported')
    return { inTheLog, beforeTheStart: 'claimed', price: 'claimed', postedBy: 'import' };
  return {
    inTheLog,
    beforeTheStart: sealedInTime ?? 'pending',
    price: price ?? 'pending',
    postedBy: authorVerified ? 'author' : 'operator',
  };
}

export function unproven(inTheLog: 'not_yet' | 'failed'): Verdicts {
  return { inTheLog, beforeTheStart: 'unproven', price: 'unproven', postedBy: 'unproven' };
}

/**
 * @param cosigned Unix seconds at which trusted witnesses cosigned the checkpoint of the posted pick
 * @param required number of cosignatures required before the start
 */
export function receiptVerdicts(
  receipt: SealedReceipt,
  cosigned: readonly number[],
  required: number,
): Verdicts {
  return verdictsOf({
    sealed: true,
    provenance: receipt.pick.provenance,
    sealedInTime: sealedInTime(receipt, cosigned, required),
    price: receipt.settlement === null ? null : (receipt.settlement.price_check?.verdict ?? 'unchecked'),
    authorVerified: receipt.pick.author !== null,
  });
}

/** Reports whether a cosignature precedes the start. Cosignatures have whole seconds, so the second of the start is already too late. */
export function isBeforeStart({ starts_at }: { starts_at: string | null }, timestamp: number): boolean {
  return starts_at !== null && timestamp < Math.floor(Date.parse(starts_at) / 1000);
}

function sealedInTime(
  receipt: SealedReceipt,
  cosigned: readonly number[],
  required: number,
): VerdictInputs['sealedInTime'] {
  const { pick } = receipt;
  if (pick.starts_at === null) return null;
  if (isCoveredAfterStart(receipt)) return 'late';
  const before = cosigned.filter((timestamp) => isBeforeStart(pick, timestamp));
  if (before.length >= Math.max(required, 1)) return 'witnessed';
  return cosigned.length === 0 && !isSignedAfterStart(receipt) ? 'signed' : 'late';
}

/** Reports whether the checkpoint of the posted pick says that the log signed it at or after the start. */
function isSignedAfterStart({ pick, proof }: SealedReceipt): boolean {
  const { time } = parseCheckpoint(parseNote(proof.events[0]!.checkpoint).text);
  return time !== undefined && Date.parse(time) >= Date.parse(pick.starts_at!);
}

/** Reports whether the first checkpoint over the pick also covers an event dated at or after the start; if so, it was signed later. */
function isCoveredAfterStart({ pick, closing, settlement, proof }: SealedReceipt): boolean {
  const start = Date.parse(pick.starts_at!);
  const instants = { posted: null, closed: closing?.closed_at, settled: settlement?.settled_at };
  return proof.events.some(({ event, seq }) => {
    const at = instants[event];
    return at != null && seq < proof.events[0]!.treeSize && Date.parse(at) >= start;
  });
}

/** How a verdict appears: for the pick, against it, neutral, or only as a claim. */
export type Tone = 'good' | 'plain' | 'claim' | 'bad';

interface Words {
  word: string;
  tone: Tone;
  meaning: string;
}

type Vocabulary = {
  readonly [Key in keyof Verdicts]: {
    readonly name: string;
    readonly words: { readonly [Value in Verdicts[Key]]: Words };
  };
};

const notProven: Words = {
  word: 'Not proven',
  tone: 'plain',
  meaning: 'Nothing in the receipt counts until its proof passes.',
};

export const vocabulary: Vocabulary = {
  inTheLog: {
    name: 'In the log',
    words: {
      sealed: { word: 'Sealed', tone: 'good', meaning: 'The signed log contains exactly this pick.' },
      not_yet: { word: 'Not yet', tone: 'plain', meaning: 'It is stored, but not sealed into the log yet.' },
      failed: {
        word: 'Not proven',
        tone: 'bad',
        meaning: 'The receipt does not prove that the log contains this pick.',
      },
    },
  },
  beforeTheStart: {
    name: 'Before the start',
    words: {
      witnessed: {
        word: 'Witnessed',
        tone: 'good',
        meaning: 'Independent witnesses cosigned it before the game started.',
      },
      signed: {
        word: 'Signed',
        tone: 'plain',
        meaning: 'It was signed before the game started, but only this log says so.',
      },
      late: {
        word: 'Late',
        tone: 'bad',
        meaning: 'Nothing signed before the game started includes it.',
      },
      claimed: {
        word: 'Claimed',
        tone: 'claim',
        meaning: 'It was imported. Nobody checked when it was made.',
      },
      pending: { word: 'Pending', tone: 'plain', meaning: 'No signed checkpoint includes it yet.' },
      unproven: notProven,
    },
  },
  price: {
    name: 'Price',
    words: {
      available: {
        word: 'Available',
        tone: 'good',
        meaning: 'Bettors could get these odds when it was posted.',
      },
      above_market: {
        word: 'Above market',
        tone: 'bad',
        meaning: 'Bettors could not get odds this high. It counts at the odds that they could get.',
      },
      unseen: {
        word: 'Unseen',
        tone: 'claim',
        meaning: 'There were no odds to compare it with. It counts in no figure.',
      },
      unchecked: {
        word: 'Unchecked',
        tone: 'plain',
        meaning: 'The service has no odds feed to compare it with. It counts at its own odds.',
      },
      claimed: { word: 'Claimed', tone: 'claim', meaning: 'It was imported. Nobody checked its odds.' },
      pending: { word: 'Pending', tone: 'plain', meaning: 'It is decided when the pick settles.' },
      unproven: notProven,
    },
  },
  postedBy: {
    name: 'Posted by',
    words: {
      author: {
        word: 'Its author’s key',
        tone: 'good',
        meaning: 'The capper signed it with a key that the log knows.',
      },
      operator: {
        word: 'The operator',
        tone: 'plain',
        meaning: 'This site’s operator posted it for the capper.',
      },
      import: { word: 'An import', tone: 'claim', meaning: 'The operator imported it from a file.' },
      unproven: notProven,
    },
  },
};

export interface ShownVerdict extends Words {
  key: keyof Verdicts;
  name: string;
}

/** Returns the four verdicts with their texts, in display order. */
export function shownVerdicts(verdicts: Verdicts): ShownVerdict[] {
  const shown = <Key extends keyof Verdicts>(key: Key): ShownVerdict => {
    const { name, words }: Vocabulary[Key] = vocabulary[key];
    return { key, name, ...words[verdicts[key]] };
  };
  return [shown('inTheLog'), shown('beforeTheStart'), shown('price'), shown('postedBy')];
}

export const laterEvents =
  'Later events may exist: the receipt does not end with a settlement, and it cannot show what it leaves out.';
