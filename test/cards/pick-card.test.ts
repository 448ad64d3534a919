import type { MeasuredNode } from '@takumi-rs/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { selectionText } from '../../src/boards/formats/pick-text.ts';
import type { PublicPick } from '../../src/boards/pick.ts';
import { createPress, emptyPodCard } from '../../src/cards/cards.ts';
import { cardHeight, cardWidth } from '../../src/cards/paper.ts';
import { type PickCard, pickCard } from '../../src/cards/pick-card.ts';
import type { Result } from '../../src/rules/vocabulary.ts';
import { closed, examplePick, hostileTexts, settled } from '../boards/formats/example-picks.ts';
import { codePoint } from '../support/code-point.ts';
import { faults, textBoxes } from './laid-out.ts';
import { inked, readPng } from './png.ts';

const notice = '21+ · Gambling problem? Call 1-800-GAMBLER';
const pickHash = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

/** Returns a selection with these words, which its subject says. */
const saying = (subject: string) => ({ market: 'question', subject, side: 'yes', line: null });

describe('the card of a pick', () => {
  const press = createPress();

  const cardOf = (changes: Partial<PublicPick>, more: Partial<PickCard> = {}): PickCard => ({
    pick: examplePick(changes),
    pickHash,
    confidence: 71.3,
    edgePct: 1.25,
    notice,
    logKind: 'live',
    ...more,
  });
  const laidOut = async (card: PickCard) =>
    textBoxes(await press.layout(pickCard(card, await press.fit(selectionText(card.pick)))));
  const words = async (card: PickCard) => (await laidOut(card)).map((box) => box.words);
  const png = async (card: PickCard) => press.png(pickCard(card, await press.fit(selectionText(card.pick))));

  it('is a PNG of 1200 by 630 pixels that is not blank', async () => {
    const picture = readPng(await png(cardOf({})));
    expect(picture).to.include({ width: 1200, height: 630 });
    expect(inked(picture)).to.be.within(0.03, 0.3);
  });

  it('shows who picked what at which price, and where to verify it', async () => {
    expect(await words(cardOf({}))).to.deep.equal([
      'Public Picks',
      'Record no. 7',
      'ada',
      'Verified sharp',
      'Delta Rays −3',
      'Tundra Owls @ Delta Rays',
      'NFL · Spread · Sun, Oct 6, 2024, 4:25\u00A0PM\u00A0ET',
      'Pending',
      'Odds',
      '−110',
      'Stake',
      '1.5u',
      'Confidence',
      '71.3 / 100',
      ...['In the log', 'Sealed', 'Before the start', 'Pending'],
      ...['Price', 'Pending', 'Posted by', 'The operator'],
      'Pick hash 2d711642 · posted Sun, Oct 6, 2024, 8:00\u00A0AM\u00A0ET',
      notice,
    ]);
  });

  it('shows the closing line value and the result once they are known', async () => {
    expect(await words(cardOf(closed))).to.include.members([
      'Pending',
      'Closing odds',
      '−120',
      'Edge',
      '+1.25%',
      'CLV',
      '+4.13%',
    ]);
    expect(await words(cardOf(settled))).to.include.members(['Win', '+1.36u', 'CLV', '+4.13%']);
    const moved = await words(cardOf({ ...closed, closingLine: -3.5 }));
    expect(moved).to.include.members(['Closing line', '−3.5']).and.not.to.include('CLV');
    const other = (result: Result, netUnits: number) => words(cardOf({ ...settled, result, netUnits }));
    expect(await other('loss', -1.5)).to.include.members(['Loss', '−1.50u']);
    expect(await other('push', 0)).to.include.members(['Push', '0.00u']);
    expect(await other('void', 0)).to.include.members(['Void', '0.00u']);
  });

  it('says at which odds the pick counts, or that it does not', async () => {
    const seen = {
      oddsAmerican: -120,
      book: 'north',
      capturedAt: '2024-10-06T11:59:00.000Z',
      provisional: true,
      countedAmerican: -120,
    };
    expect(await words(cardOf({ priceCheck: { verdict: 'above_market', ...seen } }))).to.include.members([
      'Counted at',
      '−120',
    ]);
    const unseen = {
      verdict: 'unseen',
      provisional: true,
      oddsAmerican: null,
      book: null,
      capturedAt: null,
      countedAmerican: null,
    } as const;
    const once = await words(cardOf({ priceCheck: unseen }));
    expect(once).to.include('Record no. 7 · Not counted');
    expect(once.filter((word) => word.startsWith('Unseen'))).to.deep.equal(['Unseen so far']);
    expect(
      await words(cardOf({ priceCheck: { verdict: 'available', ...seen, countedAmerican: -110 } })),
    ).not.to.include('−120');
  });

  it('marks an unsealed pick and a Pick of the Day', async () => {
    const found = await words(cardOf({}, { pickHash: null, podDay: '2024-10-06' }));
    expect(found).to.include('Not sealed yet · posted Sun, Oct 6, 2024, 8:00\u00A0AM\u00A0ET');
    expect(found).to.include('Pick of the Day · Sun, Oct 6, 2024');
  });

  it('distinguishes imported from live picks, and late from timely ones', async () => {
    const verdicts = async (changes: Partial<PublicPick>) => {
      const found = await words(cardOf({ ...settled, ...changes }));
      const from = found.indexOf('In the log');
      return [1, 3, 5, 7].map((place) => found[from + place]);
    };
    expect(await verdicts({ provenance: 'imported', sealedInTime: null })).to.deep.equal([
      ...['Sealed', 'Claimed', 'Claimed', 'An import'],
    ]);
    expect(await verdicts({ sealedInTime: 'witnessed' })).to.include('Witnessed');
    expect(await verdicts({ sealedInTime: 'late' })).to.include('Late');
    expect(await verdicts({ hashStatus: 'unhashed' })).to.include('Not yet');
  });

  it('marks an unverified capper', async () => {
    expect(await words(cardOf({}))).not.to.include('not verified');
    expect(await words(cardOf({ capperVerified: false }))).to.include('not verified');
  });

  it('sets a short selection in large type', async () => {
    expect((await press.fit('Over 220.5')).size).to.equal(84);
    expect((await press.fit('New York Knicks -3.5')).size).to.be.at.least(62);
  });

  const long: [what: string, changes: Partial<PublicPick>][] = [
    [
      'names of 100 characters',
      {
        capperHandle: 'Q'.repeat(100),
        capperVerified: false,
        game: `${'N'.repeat(100)} @ ${'M'.repeat(97)}`,
      },
    ],
    [
      'a selection of 300 characters',
      { ...saying('A selection that never ends. '.repeat(10).slice(0, 300)) },
    ],
    ['a selection that is one word of 300 letters', { ...saying('W'.repeat(300)) }],
    [
      '300 Chinese characters',
      { ...saying('北京国安让一球半胜'.repeat(34).slice(0, 300)), game: '上海申花'.repeat(50) },
    ],
    [
      '300 Arabic letters',
      { ...saying('الهلال يفوز على النصر '.repeat(14).slice(0, 300)), game: 'النصر @ الهلال '.repeat(13) },
    ],
    ['300 characters of emoji', { ...saying('🔥👨‍👩‍👧‍👦🇺🇸'.repeat(20)), game: '🏀'.repeat(100) }],
    [
      'the largest figures',
      {
        ...settled,
        oddsAmerican: -100_000,
        closingOddsAmerican: 100_000,
        clvBps: -123_456,
        stakeUnits: 99.99,
        netUnits: -99.99,
        id: 2 ** 31,
      },
    ],
    ...hostileTexts.map((text): [string, Partial<PublicPick>] => [
      JSON.stringify(text.slice(0, 20)),
      { ...saying(text), game: text },
    ]),
  ];
  for (const [what, changes] of long)
    it(`fits ${what}`, async () => {
      expect(faults(await laidOut(cardOf(changes)), cardWidth, cardHeight)).to.deep.equal([]);
      expect(inked(readPng(await png(cardOf(changes))))).to.be.above(0.03);
    });

  it('overflows when set too large, which proves that these tests can fail', async () => {
    const card = pickCard(cardOf({ ...saying('A selection that never ends. '.repeat(10)) }), {
      size: 84,
      lines: 99,
    });
    expect(faults(textBoxes(await press.layout(card)), cardWidth, cardHeight)).not.to.be.empty;
  });

  it('truncates overlong text at the end', async () => {
    const found = await words(
      cardOf({ ...saying('word '.repeat(60).trim()), capperHandle: 'q'.repeat(100) }),
    );
    expect(found[2]).to.match(/^q{20,60}$/);
    expect(found[4]).to.match(/^(word ){20,55}/);
  });

  it('draws any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: codePoint, minLength: 1, maxLength: 300 }),
        fc.string({ unit: 'grapheme', minLength: 3, maxLength: 200 }),
        async (pick, game) => {
          const found = await laidOut(cardOf({ pick, game }));
          expect(faults(found, cardWidth, cardHeight)).to.deep.equal([]);
          expect(readPng(await png(cardOf({ pick, game }))).width).to.equal(cardWidth);
        },
      ),
      { numRuns: 8 },
    );
  });

  describe('in other scripts', () => {
    const pairs: [script: string, one: string, other: string][] = [
      ['Arabic', 'الهلال', 'النصرا'],
      ['Hebrew', 'מכבי', 'ביתר'],
      ['Thai', 'บุรีรัมย์', 'เมืองทอง'],
      ['Devanagari', 'मुंबई', 'चेन्नै'],
      ['Chinese', '北京', '上海'],
      ['Japanese', 'ガンバ', 'ヴィッ'],
      ['Korean', '전북', '울산'],
      ['Greek', 'ΠΑΟΚ', 'ΑΡΗΣ'],
      ['Cyrillic', 'Зенит', 'Спарт'],
      ['emoji', '🔥', '🏀'],
    ];
    // Letters that no font has are all drawn as the same box.
    for (const [script, one, other] of pairs)
      it(`has glyphs for ${script}`, async () => {
        const [first, second] = await Promise.all([
          png(cardOf({ ...saying(one) })),
          png(cardOf({ ...saying(other) })),
        ]);
        expect(first.equals(second)).to.equal(false);
      });

    it('has no glyphs for Georgian, which proves that these tests can fail', async () => {
      const [first, second] = await Promise.all([
        png(cardOf({ ...saying('დი') })),
        png(cardOf({ ...saying('თბ') })),
      ]);
      expect(first.equals(second)).to.equal(true);
    });

    it('joins Arabic letters', async () => {
      const widthOf = async (pick: string) => {
        const { runs } = await press
          .layout(pickCard(cardOf(saying(pick)), { size: 40, lines: 1 }))
          .then(find(pick));
        return runs
          .filter(({ text }) => /\p{Script=Arabic}/u.test(text))
          .reduce((sum, { width }) => sum + width, 0);
      };
      const apart = await Promise.all([...'سلام'].map(widthOf));
      expect(await widthOf('سلام')).to.be.below(apart.reduce((sum, width) => sum + width, 0) * 0.95);
    });

    it('orders right-to-left text from the right, and numbers in it from the left', async () => {
      const pick = 'מכבי תל אביב +3.5';
      const { runs } = await press
        .layout(pickCard(cardOf(saying(pick)), { size: 40, lines: 1 }))
        .then(find('מכבי'));
      const at = (text: string) => runs.find((run) => run.text.includes(text))?.x ?? Number.NaN;
      expect(at('מכבי')).to.be.above(at('תל'));
      expect(at('תל')).to.be.above(at('אביב'));
      expect(at('אביב')).to.be.above(at('3.5'));
    });
  });
});

/** Returns the text of a layout that contains some words. */
function find(words: string): (node: MeasuredNode) => MeasuredNode {
  const search = (node: MeasuredNode): MeasuredNode | undefined =>
    node.runs.some(({ text }) => text.includes(words))
      ? node
      : node.children.map(search).find((found) => found);
  return (node) => search(node) ?? node;
}

describe('the card of a day without a Pick of the Day', () => {
  it('says so, with the day and the notice', async () => {
    const press = createPress();
    const card = emptyPodCard({ day: '2024-10-06', notice, logKind: 'live' });
    const found = textBoxes(await press.layout(card));
    expect(found.map(({ words }) => words)).to.include.members([
      'Pick of the Day · Sun, Oct 6, 2024',
      'No Pick of the Day yet',
      notice,
    ]);
    expect(faults(found, cardWidth, cardHeight)).to.deep.equal([]);
    expect(readPng(await press.png(card))).to.include({ width: 1200, height: 630 });
  });
});
