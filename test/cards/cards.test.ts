import type { MeasuredNode } from '@takumi-rs/core';
import { expect } from 'chai';
import { createCards } from '../../src/cards/cards.ts';
import type { Press } from '../../src/cards/draw.ts';
import type { PickCard } from '../../src/cards/pick-card.ts';
import { Overloaded } from '../../src/platform/limiter.ts';
import { examplePick, settled } from '../boards/formats/example-picks.ts';

/** A press that counts, and draws when it is told to. */
function slowPress() {
  let drawn = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const press: Press = {
    fit: () => Promise.resolve({ size: 40, lines: 1 }),
    async png() {
      drawn += 1;
      await gate;
      return Buffer.from(`picture ${drawn}`);
    },
    layout: () => Promise.resolve({} as MeasuredNode),
  };
  return { press, drawn: () => drawn, release };
}

const card = (id: number): PickCard => ({
  pick: examplePick({ id }),
  pickHash: null,
  confidence: 50,
  notice: '21+',
  logKind: 'live',
});

describe('cards', () => {
  it('draws a card once for all who ask at the same time, and keeps it', async () => {
    const { press, drawn, release } = slowPress();
    const cards = createCards(2 ** 20, press);
    const asked = [cards.png(card(1)), cards.png(card(1)), cards.png(card(1))];
    release();
    await Promise.all(asked);
    await cards.png(card(1));
    expect(drawn()).to.equal(1);
    await cards.png(card(2));
    expect(drawn()).to.equal(2);
  });

  it('keeps what is asked for again, however many others are asked for once', async () => {
    const { press, drawn, release } = slowPress();
    release();
    // An eighth of it is for one card that was asked for once.
    const cards = createCards(8 * 600, press);
    for (const id of [1, 1, 2, 2]) await cards.png(card(id));
    expect(drawn()).to.equal(2);
    for (let id = 3; id < 30; id += 1) await cards.png(card(id));
    expect(drawn()).to.equal(29);
    for (const id of [1, 2, 29]) await cards.png(card(id));
    expect(drawn()).to.equal(29);
    await cards.png(card(28));
    expect(drawn()).to.equal(30);
  });

  it('draws two at a time and refuses more than it can soon do', async () => {
    const { press, drawn, release } = slowPress();
    const cards = createCards(2 ** 20, press);
    const asked = Array.from({ length: 100 }, (_, id) =>
      cards.png(card(id)).catch((error: unknown) => error),
    );
    await new Promise((next) => setImmediate(next));
    expect(drawn()).to.equal(2);
    release();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => Buffer.isBuffer(answer))).to.have.length(62);
    expect(answers.filter((answer) => answer instanceof Overloaded)).to.have.length(38);
  });

  it('names a version by everything that the card shows', () => {
    const { version } = createCards(2 ** 20, slowPress().press);
    const before = version(card(1));
    expect(version(card(1))).to.equal(before);
    const others: PickCard[] = [
      { ...card(1), confidence: 50.1 },
      { ...card(1), pickHash: 'ab'.repeat(32) },
      { ...card(1), podDay: '2024-10-06' },
      { ...card(1), notice: '18+' },
      { ...card(1), pick: examplePick({ id: 1, ...settled }) },
    ];
    expect(new Set([before, ...others.map(version)]).size).to.equal(others.length + 1);
  });
});
