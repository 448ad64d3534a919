import { expect } from 'chai';
import fc from 'fast-check';
import { capperRss } from '../../../src/boards/cappers/picks.ts';
import { hotStreaksRss } from '../../../src/boards/cappers/streaks.ts';
import { picksRss } from '../../../src/boards/feeds/latest.ts';
import { xmlText } from '../../../src/boards/formats/safe-text.ts';
import type { PublicPick } from '../../../src/boards/pick.ts';
import { consensusRss, sharpTodayRss } from '../../../src/boards/sharp/groups.ts';
import { recordRss } from '../../../src/record/record-rss.ts';
import type { Group } from '../../../src/rules/consensus.ts';
import { codePoint } from '../../support/code-point.ts';
import { baseUrl, closed, examplePick, helpLine, hostileTexts, settled } from './example-picks.ts';
import { all, readXml, textOf } from './read-xml.ts';
import * as rules from './rss-rules.ts';

const context = { baseUrl, helpLine, params: {} };
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const iso = (at: number) => new Date(at).toISOString();
const at = (cursor: string | undefined) => ({ ...context, params: { cursor } });
const expectRss = (document: string) => rules.expectRss(document, helpLine);
const picksOf = (document: string) => expectRss(document).items;
const render = (...picks: PublicPick[]) => picksRss.render({ picks }, context);
/** Returns the text of HTML as a browser would show it. An XML parser suffices, since the pages' HTML is XML too. */
const shown = (html: string) => {
  const collect = (element: ReturnType<typeof readXml>): string =>
    element.text + element.children.map(collect).join('\n');
  return collect(readXml(`<div>${html}</div>`));
};

/** The fields that a feed shows. */
const group = {
  groupId: uuid(9),
  sport: 'nba',
  game: 'Hawks @ Otters',
  startsAt: null,
  market: 'moneyline',
  subject: null,
  side: 'home',
  lineMin: null,
  lineMax: null,
  bestOddsAmerican: 120,
  capperCount: 2,
  opposingCount: 1,
  consensusPct: 66.67,
  totalStakeUnits: 3,
  lastPostedAt: '2024-11-30T20:05:00.000Z',
  cappers: [
    { handle: 'ada', tier: 'elite', verified: true, oddsAmerican: 120 },
    { handle: 'bram', tier: 'verified_sharp', verified: false, oddsAmerican: 115 },
  ],
} as unknown as Group;

const streak = {
  handle: 'ada',
  tier: 'elite' as const,
  verified: true,
  kind: 'W' as const,
  length: 5,
  chancePct: 2.1,
  verdict: {
    word: 'unproven' as const,
    sentence: 'After 60 results, luck could explain this record.',
    missing: null,
  },
  since: '2024-11-01T00:00:00.000Z',
  lastSettledAt: '2024-11-30T20:05:00.000Z',
  sports: ['nba', 'nfl'],
};

const everything = { since: null, sport: null, limit: 1000, afterId: null, capper: null };

describe('RSS feeds', () => {
  it('conform to RSS 2.0, even when empty', () => {
    const picks = [examplePick(), examplePick({ pickUuid: uuid(1), ...settled })];
    expect(expectRss(picksRss.render({ picks }, context)).items).to.have.lengthOf(2);
    const page = { picks, next: undefined };
    expect(expectRss(recordRss(page, everything, null, context)).items).to.have.lengthOf(2);
    expectRss(
      capperRss.render({ verdict: streak.verdict, picks }, { baseUrl, helpLine, params: { handle: 'ada' } }),
    );
    expectRss(consensusRss.render({ groups: [group] }, context));
    expectRss(sharpTodayRss.render({ groups: [group] }, context));
    expectRss(hotStreaksRss.render({ streaks: [streak] }, context));
    const { channel, items } = expectRss(picksRss.render({ picks: [] }, context));
    expect(items).to.have.lengthOf(0);
    expect(all(channel, 'lastBuildDate')).to.have.lengthOf(0);
  });

  it('link to themselves with the parameters that differ from the defaults', () => {
    const self = (document: string) => all(expectRss(document).channel, 'atom:link')[0]?.attributes.href;
    expect(self(picksRss.render({ picks: [] }, { baseUrl, helpLine, params: { sport: 'nfl' } }))).to.equal(
      'https://picks.example/picks.rss?sport=nfl',
    );
    expect(
      self(
        capperRss.render(
          { verdict: streak.verdict, picks: [] },
          { baseUrl, helpLine, params: { handle: 'ada' } },
        ),
      ),
    ).to.equal('https://picks.example/c/ada/rss.xml');
    const params = { min: 3, limit: 100 };
    expect(self(hotStreaksRss.render({ streaks: [] }, { baseUrl, helpLine, params }))).to.equal(
      'https://picks.example/sharp/hot-streaks.rss?limit=100',
    );
  });

  it('keep the GUID of a pick when it closes and settles', () => {
    const lives = [examplePick(), examplePick(closed), examplePick(settled)].map((pick) => render(pick));
    const guids = lives.map((document) => textOf(picksOf(document)[0]!, 'guid'));
    expect(new Set(guids)).to.deep.equal(new Set([examplePick().pickUuid]));
    const built = lives.map((document) => Date.parse(textOf(expectRss(document).channel, 'lastBuildDate')));
    expect(built).to.deep.equal(
      ['2024-10-06T12:00:00Z', '2024-10-06T20:25:00Z', '2024-10-06T23:31:00Z'].map((at) => Date.parse(at)),
    );
  });

  it('identify a group by its id and a streak by handle and length', () => {
    const guid = (document: string) => textOf(picksOf(document)[0]!, 'guid');
    expect(guid(consensusRss.render({ groups: [group] }, context))).to.equal(group.groupId);
    expect(guid(hotStreaksRss.render({ streaks: [streak] }, context))).to.equal('ada-5');
    const description = (verified: boolean) =>
      textOf(
        picksOf(hotStreaksRss.render({ streaks: [{ ...streak, verified }] }, context))[0]!,
        'description',
      );
    expect(description(true)).to.contain('ada (elite) has');
    expect(description(false)).to.contain('ada (elite, not verified) has');
  });

  it('link to archive pages until every item has been listed once', () => {
    // Two picks per instant, in both orders of their ids.
    const picks = Array.from({ length: 230 }, (_, n) =>
      examplePick({ pickUuid: uuid(n % 7 === 0 ? 900 - n : n), postedAt: iso(1.7e12 + (n >> 1)) }),
    );
    const groups = Array.from({ length: 230 }, (_, n) => ({
      ...group,
      groupId: uuid(n),
      lastPostedAt: iso(1.7e12 + (n >> 2)),
    }));
    for (const [description, renderAt] of [
      [picks.map(({ pickUuid }) => pickUuid), (cursor) => picksRss.render({ picks }, at(cursor))],
      [groups.map(({ groupId }) => groupId), (cursor) => consensusRss.render({ groups }, at(cursor))],
    ] as [string[], (cursor: string | undefined) => string][]) {
      const guids: string[] = [];
      let pages = 0;
      for (let cursor: string | undefined, more = true; more; pages += 1) {
        const { channel, items } = expectRss(renderAt(cursor));
        const links = new Map(
          all(channel, 'atom:link').map(({ attributes }) => [attributes.rel, attributes.href]),
        );
        expect(all(channel, 'fh:archive')).to.have.lengthOf(cursor === undefined ? 0 : 1);
        expect(links.has('current')).to.equal(cursor !== undefined);
        guids.push(...items.map((item) => textOf(item, 'guid')));
        cursor = new URL(links.get('prev-archive') ?? 'none:').searchParams.get('cursor') ?? undefined;
        more = cursor !== undefined;
      }
      expect(pages).to.equal(3);
      expect(new Set(guids).size).to.equal(guids.length);
      expect(guids.toSorted()).to.deep.equal(description.toSorted());
    }
  });

  it('hold the newest 100 items', () => {
    const picks = Array.from({ length: 130 }, (_, n) =>
      examplePick({ pickUuid: uuid(n), postedAt: new Date(1.7e12 + n * 60_000).toISOString() }),
    );
    const guids = picksOf(render(...picks)).map((item) => textOf(item, 'guid'));
    expect(guids).to.deep.equal(Array.from({ length: 100 }, (_, n) => uuid(129 - n)));
  });

  it('have the same bytes for the same data', () => {
    const picks = [examplePick(), examplePick({ pickUuid: uuid(1) })];
    expect(render(...picks)).to.equal(render(...picks.toReversed()));
  });

  for (const text of hostileTexts)
    it(`preserve ${JSON.stringify(text.slice(0, 40))}`, () => {
      const [item] = picksOf(render(examplePick({ pick: text, game: text })));
      expect(textOf(item!, 'title')).to.contain(xmlText(text));
      expect(shown(textOf(item!, 'description'))).to.contain(xmlText(text));
      expect(textOf(item!, 'description')).not.to.match(/<(?!\/?p\b)/);
    });

  it('preserve any Unicode text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, minLength: 1, maxLength: 300 }), (text) => {
        const [item] = picksOf(render(examplePick({ pick: text, game: text })));
        expect(textOf(item!, 'title')).to.contain(xmlText(text));
        expect(shown(textOf(item!, 'description'))).to.contain(xmlText(text));
        const groups = [{ ...group, pick: text, game: text }];
        const [other] = picksOf(consensusRss.render({ groups }, context));
        expect(shown(textOf(other!, 'description'))).to.contain(xmlText(text));
      }),
    );
  });
});
