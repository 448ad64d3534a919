import { expect } from 'chai';
import type { AnnouncedEvent } from '../../../src/webhooks/messages/events.ts';
import { cardOf, payloadOf } from '../../../src/webhooks/messages/payloads.ts';
import { platformNamed } from '../../../src/webhooks/platforms/index.ts';
import { storedPick } from '../../support/stored-pick.ts';

const settled: AnnouncedEvent = {
  seq: 7,
  kind: 'settled',
  ...storedPick,
  verified: true,
  half: false,
  result: 'loss',
  settledAt: Date.parse('2029-06-01T12:00:00Z'),
  closingOdds: -110,
  priceVerdict: null,
  priceOdds: null,
  priceBook: null,
  priceCapturedAt: null,
  priceCounted: null,
  provisional: false,
};
const cardFor = (changes: Partial<AnnouncedEvent> = {}) =>
  cardOf(
    payloadOf({ ...settled, ...changes }, { subscriptionId: 1, now: 0, baseUrl: 'https://picks.example' }),
  );

describe('the card of an event in a channel', () => {
  it('shows a settlement with its odds, its close, and its permalink', () => {
    expect(cardFor()).to.deep.equal({
      title: 'LOSS for ada_l',
      lead: 'Foxes −3.5',
      text: 'Gulls @ Foxes',
      url: `https://picks.example/p/${settled.uuid}`,
      footer: 'verified sharp · log entry 7',
      tone: 'bad',
      fields: [
        { name: 'Sport', value: 'NBA' },
        { name: 'Market', value: 'spread' },
        { name: 'Odds', value: '+105' },
        { name: 'Stake', value: '1 unit' },
        { name: 'Closing odds', value: '−110' },
      ],
      timestamp: '2029-06-01T12:00:00.000Z',
    });
  });

  it('marks an unverified capper, like the body of a delivery', () => {
    expect(cardFor({ verified: false }).footer).to.equal('verified sharp, not verified · log entry 7');
    const { pick } = payloadOf(
      { ...settled, verified: false },
      { subscriptionId: 1, now: 0, baseUrl: 'https://picks.example' },
    );
    expect(pick).to.include({ capperTier: 'verified_sharp', capperVerified: false });
  });

  it('says at which odds a settled pick counts, or why it does not', () => {
    const card = cardFor({
      priceVerdict: 'above_market',
      priceOdds: -120,
      priceBook: 'north',
      priceCapturedAt: 0,
      priceCounted: -120,
    });
    expect(card.fields?.at(-1)).to.deep.equal({ name: 'Odds', value: 'counted at −120' });
    expect(cardFor({ priceVerdict: 'unseen' }).fields?.at(-1)).to.deep.equal({
      name: 'Not counted',
      value: 'no odds to compare with',
    });
    expect(cardFor({ priceVerdict: 'available', priceOdds: 105 }).fields).to.deep.equal(cardFor().fields);
  });

  it('shows a new pick without a close', () => {
    const card = cardFor({ result: null, settledAt: null, closingOdds: null });
    expect(card).to.include({
      title: 'New pick by ada_l',
      tone: 'news',
      timestamp: '2029-06-01T10:00:00.000Z',
    });
    expect(card.fields?.map(({ name }) => name)).to.deep.equal(['Sport', 'Market', 'Odds', 'Stake']);
  });

  it('says that a new pick does not count so far', () => {
    const unseen = {
      priceVerdict: 'unseen',
      provisional: true,
      result: null,
      settledAt: null,
      closingOdds: null,
    } as const;
    expect(cardFor(unseen).fields?.at(-1)).to.deep.equal({
      name: 'Not counted',
      value: 'no odds to compare with so far',
    });
  });

  it('reaches Discord as an embed, byte for byte', () => {
    expect(platformNamed('discord').encode([cardFor()]).body).to.equal(
      `{"embeds":[{"title":"LOSS for ada\\\\_l","description":"**Foxes −3.5**\\nGulls \\\\@ Foxes","url":"https://picks.example/p/${settled.uuid}",` +
        `"footer":{"text":"verified sharp · log entry 7"},"color":12986408,"fields":[{"name":"Sport","value":"NBA","inline":true},` +
        `{"name":"Market","value":"spread","inline":true},{"name":"Odds","value":"+105","inline":true},{"name":"Stake","value":"1 unit","inline":true},` +
        `{"name":"Closing odds","value":"−110","inline":true}],"timestamp":"2029-06-01T12:00:00.000Z"}],"allowed_mentions":{"parse":[]}}`,
    );
  });
});
