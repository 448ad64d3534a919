import type { Node } from '@takumi-rs/core';
import { expect } from 'chai';
import { createPress } from '../../src/cards/cards.ts';
import { type LeadersCard, leadersCard } from '../../src/cards/leaders-card.ts';
import { cardHeight, cardWidth } from '../../src/cards/paper.ts';
import { type RecordCard, recordCard } from '../../src/cards/record-card.ts';
import { emptyTally, recordOf } from '../../src/rules/tally.ts';
import { faults, textBoxes } from './laid-out.ts';

const imprint = { notice: '21+ · Gambling problem? Call 1-800-GAMBLER', logKind: 'live' } as const;
const record = recordOf({
  ...emptyTally(),
  wins: 1195,
  losses: 1183,
  pushes: 70,
  netE4: 826_300,
  stakedE4: 27_885_000,
  breakEvenE9: 1_159_750_000_000,
  flatE6: 35_250_000,
  flatVarianceE6: 2_500_000_000,
});
const longest = 'w'.repeat(32);

describe('the cards of records', () => {
  const press = createPress();
  const capper = (changes: Partial<RecordCard> = {}): RecordCard => ({
    handle: 'ada',
    tier: 'verified_sharp',
    verified: true,
    verdict: {
      word: 'promising',
      sentence:
        'Took a better price than the market’s last one in 1,214 of 2,300 games, 1.9% better on average: luck does that less than once in 20. Equal stakes would have won: the loss of 127.7 units comes from their sizes.',
      missing: null,
    },
    record,
    provenance: 'live',
    close: { sample: 1200, beatSample: 660, medianBps: -12.5 },
    streak: { kind: null, length: 0 },
    ...imprint,
    ...changes,
  });
  const leaders = (count: number, handle = 'ada'): LeadersCard => ({
    provenance: 'live',
    leaders: Array.from({ length: count }, (_, index) => ({
      rank: index + 1,
      handle,
      tier: 'verified_sharp',
      verified: index !== 1,
      record: '1195-1183-70',
      yieldPct: -10.25,
      verdict: { word: 'promising' },
    })),
    ...imprint,
  });

  for (const [what, plan] of [
    ['a capper', recordCard(capper())],
    ['a capper with nothing settled', recordCard(capper({ record: recordOf(emptyTally()) }))],
    [
      'the streak of a capper with the longest handle',
      recordCard(capper({ handle: longest, streak: { kind: 'L', length: 112 } })),
    ],
    [
      'an unverified capper with the longest handle',
      recordCard(capper({ handle: longest, verified: false })),
    ],
    ['the leaderboard', leadersCard(leaders(5))],
    ['leaders with the longest handles', leadersCard(leaders(7, longest))],
    ['an empty leaderboard', leadersCard(leaders(0))],
  ] as const)
    it(`keep everything within their frame: ${what}`, async () => {
      expect(faults(textBoxes(await press.layout(plan)), cardWidth, cardHeight)).to.deep.equal([]);
    });

  it('never show a hit rate without its break-even', async () => {
    const words = textBoxes(await press.layout(recordCard(capper()))).map((box) => box.words);
    expect(words).to.include.members(['1195–1183–70', 'Hit rate', '50.3%', 'Break-even', '48.8%', '+82.63u']);
    expect(words).to.include.members(['Average edge', 'Median CLV', '−0.13%', 'Beat the close', '55.0%']);
  });

  it('mark unverified cappers, and no others', async () => {
    const marks = async (plan: Node) =>
      textBoxes(await press.layout(plan)).filter(({ words }) => words === 'not verified').length;
    expect(await marks(recordCard(capper({ verified: false })))).to.equal(1);
    expect(await marks(recordCard(capper()))).to.equal(0);
    expect(await marks(leadersCard(leaders(5)))).to.equal(1);
  });

  it('show the streak of a capper who has one', async () => {
    const wordsOf = async (kind: 'W' | 'L', length: number) =>
      textBoxes(await press.layout(recordCard(capper({ streak: { kind, length } })))).map(
        ({ words }) => words,
      );
    const won = await wordsOf('W', 5);
    expect(won).to.include('Won the last 5');
    expect(won.join(' ')).to.contain('1195–1183–70, yield +1.5%');
    expect(await wordsOf('L', 3)).to.include('Lost the last 3');
    expect(await wordsOf('W', 2)).not.to.include('Won the last 2');
  });
});
