import { expect } from 'chai';
import { request } from 'undici';
import type { PickEventBody } from '../../src/boards/picks/events.ts';
import { htmlText } from '../../src/pages/html.ts';
import { lifeOf } from '../../src/pages/parts/life.ts';
import { parsed } from '../../src/pages/rules/markdown.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { rulePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';

describe('the pages of docs/rules', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  const texts = new Map<string, string>();

  before(async () => {
    site = await startApi({ database, redis });
    for (const path of ['/how', '/rules', ...rulePaths]) {
      const { statusCode, body } = await request(site.address + path);
      expect(statusCode, path).to.equal(200);
      texts.set(path, await body.text());
    }
  });
  after(() => site?.close());

  const linksOf = (path: string) =>
    [...(texts.get(path) ?? '').matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);

  it('are all linked from /how and from /rules', () => {
    expect(linksOf('/how')).to.include.members(rulePaths);
    expect(linksOf('/rules')).to.include.members(rulePaths);
  });

  it('link to existing pages and headings', () => {
    const dead = [...texts.keys()].flatMap((path) =>
      linksOf(path)
        .map((href) => (href.startsWith('#') ? path + href : href))
        .filter((href) => /^\/rules|#/.test(href))
        .filter((href) => {
          const [page = '', fragment] = href.split('#');
          const text = texts.get(page);
          return text === undefined || (fragment !== undefined && !text.includes(` id="${fragment}"`));
        })
        .map((href) => `${path}: ${href}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it('contain the rule that each settlement links to', () => {
    const settled = {
      event: 'settled',
      at: '2026-01-11T21:00:00.000Z',
      hash: null,
      prevHash: null,
      seq: null,
    } as const;
    const scores = {
      result: 'win',
      netUnits: 1,
      awayScore: 1,
      homeScore: 2,
      sets: null,
      stat: null,
    } as const;
    const linkOf = (grader: string, more: object = {}) => {
      const event = { ...settled, ...scores, played: null, half: false, priceCheck: null, grader, ...more };
      return (
        / href="([^"]*)"/.exec(
          htmlText(
            lifeOf([event as PickEventBody], { sport: 'nfl', game: 'Gulls @ Foxes', market: 'total' }),
          ),
        )?.[1] ?? ''
      );
    };
    const graders = ['score', 'first_half_score', 'sets', 'stat', 'result', 'cancelled', 'postponed'];
    const links = [...graders.map((grader) => linkOf(grader)), linkOf('score', { half: true })];
    const shortened = ['score', 'sets', 'result'].map((grader) => linkOf(grader, { played: 'shortened' }));
    expect(new Set(shortened)).to.deep.equal(new Set(['/rules/grading#shortened-games']));
    expect(linkOf('cancelled', { played: 'shortened' })).to.equal('/rules/grading#canceled-games');
    for (const link of [...links, ...shortened]) {
      const [page = '', fragment] = link.split('#');
      expect(texts.get(page), link).to.contain(` id="${fragment}"`);
    }
  });

  it('link to each other, and name documents that the site does not serve', () => {
    expect(linksOf('/rules/records')).to.include('/rules/odds#units');
    expect(texts.get('/rules/webhooks')).to.contain('the API (<code>docs/api.md</code>)');
    for (const path of rulePaths) expect(linksOf(path).join(), path).not.to.contain('.md');
  });

  it('show tables in a scrolling box, and formulas as written', () => {
    for (const [path, text] of texts)
      if (path.startsWith('/rules'))
        expect(text.match(/<table/g), path).to.deep.equal(
          text.match(/(?<=<section class="scroll"[^>]*>)<table/g),
        );
    expect(texts.get('/rules/clv')).to.contain('10000 * (decimalPosted / decimalClosing - 1)');
    expect(texts.get('/rules/luck')).to.contain('xoshiro128**');
  });

  it('omit what only readers of the source need', () => {
    for (const [path, text] of texts)
      if (path.startsWith('/rules')) expect(text, path).not.to.contain('<p>Code:');
    expect(texts.get('/rules')).not.to.contain('src/');
  });

  it('have curly apostrophes, and straight ones in code', () => {
    expect(texts.get('/rules/clv')).to.contain('the bettor’s favor');
    expect(texts.get('/how')).to.contain('a pick’s text');
    expect(texts.get('/rules/rankings')).to.contain('(“type 7”');
  });

  it('must have a title', () => {
    expect(() => parsed('Text.')).to.throw('no title');
  });
});
