import { givenPick, postedBody, unsigned } from '../../ledger/pick-forms.ts';
import type { PickRow } from '../../ledger/posting/pick-row.ts';
import { bodyHash, type PickBody } from '../../proof/bodies.ts';
import { canonical } from '../../proof/canonical.ts';
import { formatCheckpoint } from '../../proof/checkpoint.ts';
import { hex, utf8 } from '../../proof/encoding.ts';
import { entryText } from '../../proof/entry.ts';
import { leafHash, nodeHash } from '../../proof/tree.ts';

/** Index of the worked pick among the four leaves. */
export const exampleSeq = 2;

const row: PickRow = {
  capperHandle: 'ada',
  sport: 'nfl',
  game: 'Harbor Herons @ Mesa Muleteers',
  startsAt: '2026-09-13T17:00:00.000Z',
  market: 'spread',
  side: 'home',
  line: -3.5,
  pick: 'Mesa Muleteers -3.5',
  oddsAmerican: -110,
  stakeUnits: 1,
};

const posted = postedBody({
  ...givenPick(row),
  ...unsigned,
  id: 3,
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  capperId: 1,
  tier: 'elite',
  gameId: 1,
  gameDay: null,
  source: 'operator',
  provenance: 'live',
  postedAt: Date.parse('2026-09-13T12:00:00.000Z'),
});

const pick: PickBody = { ...posted, capper_seq: 2, capper_prev: 'c0ffee'.padEnd(64, '0') };

/** Works through a made-up log of four entries, from a pick to the checkpoint. The proof code computes every value. */
export function workExample() {
  const pickHash = bodyHash('posted', pick);
  const { uuid, capper, capper_seq } = pick;
  const entry = entryText({
    v: 1,
    seq: exampleSeq,
    kind: 'posted',
    uuid,
    capper,
    capper_seq,
    hash: pickHash,
    prev: null,
  });
  const others = ['first entry', 'second entry', 'fourth entry'].map((text) => leafHash(utf8(text)));
  const leaves = [...others.slice(0, exampleSeq), leafHash(utf8(entry)), ...others.slice(exampleSeq)];
  // `left` is the hash of leaves 0 and 1, `right` of leaves 2 and 3.
  const left = nodeHash(leaves[0]!, leaves[1]!);
  const right = nodeHash(leaves[2]!, leaves[3]!);
  const root = nodeHash(left, right);
  return {
    body: canonical(pick),
    pickHash,
    entry,
    leaves: leaves.map(hex),
    left: hex(left),
    right: hex(right),
    root: hex(root),
    checkpoint: formatCheckpoint({ origin: 'picks.example/ledger', size: 4, root }),
  };
}
