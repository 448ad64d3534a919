import type { MeasuredNode } from '@takumi-rs/core';
import { expect } from 'chai';
import type { Press } from '../../src/cards/cards.ts';
import { createCards } from '../../src/cards/cards.ts';
import type { PickCard } from '../../src/cards/pick-card.ts';
import { examplePick, settled } from '../boards/formats/example-picks.ts';

/** Returns a press that counts, and draws on command. */
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
  edgePct: null,
  notice: '21+',
  logKind: 'live',
});

describe('the cards', () => {
  it('are drawn once for concurrent requests', async () => {
    const { press, drawn, release } = slowPress();
    const cards = createCards(press);
    const asked = [cards.png(card(1)), cards.png(card(1)), cards.png(card(1))];
    release();
    await Promise.all(asked);
    expect(drawn()).to.equal(1);
    await cards.png(card(2));
    expect(drawn()).to.equal(2);
  });

  it('have a version that depends on everything they show', () => {
    const { version } = createCards(slowPress().press);
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
