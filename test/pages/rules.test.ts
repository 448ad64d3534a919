import { expect } from 'chai';
import { request } from 'undici';
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

  it('link to pages and headings that exist', () => {
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

  it('link to each other, and name documents that the site does not serve', () => {
    expect(linksOf('/rules/records')).to.include('/rules/odds#units');
    expect(texts.get('/rules/webhooks')).to.contain('the API (<code>docs/api.md</code>)');
    for (const path of rulePaths) expect(linksOf(path).join(), path).not.to.contain('.md');
  });

  it('show tables in a box that scrolls, and formulas as they are written', () => {
    for (const [path, text] of texts)
      if (path.startsWith('/rules'))
        expect(text.match(/<table/g), path).to.deep.equal(
          text.match(/(?<=<section class="scroll"[^>]*>)<table/g),
        );
    expect(texts.get('/rules/clv')).to.contain('10000 * (decimalPosted / decimalClosing - 1)');
    expect(texts.get('/rules/luck')).to.contain('xoshiro128**');
  });

  it('leave out what only readers of the source need', () => {
    for (const [path, text] of texts)
      if (path.startsWith('/rules')) expect(text, path).not.to.contain('<p>Code:');
    expect(texts.get('/rules')).not.to.contain('src/');
  });

  it('have curly apostrophes, and straight ones in code', () => {
    expect(texts.get('/rules/clv')).to.contain('the bettor’s favor');
    expect(texts.get('/how')).to.contain('a pick’s text');
    expect(texts.get('/rules/edge')).to.contain('&quot;multiplicative&quot;');
  });

  it('need a title', () => {
    expect(() => parsed('Text.')).to.throw('no title');
  });
});
