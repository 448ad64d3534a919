import { expect } from 'chai';
import { HtmlValidate, type ResolvedConfig, StaticConfigLoader } from 'html-validate';
import { request } from 'undici';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { hostile, ledgersOfPages } from '../support/ledgers.ts';
import { fixedPaths, pagePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';

/** Resolves its configuration once. html-validate's own loader does so for every document. */
class OneConfig extends StaticConfigLoader {
  #resolved: ResolvedConfig | Promise<ResolvedConfig> | undefined;

  override getConfigFor(...args: Parameters<StaticConfigLoader['getConfigFor']>) {
    this.#resolved ??= super.getConfigFor(...args);
    return this.#resolved;
  }
}

const validator = new HtmlValidate(
  new OneConfig({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      // Pages load only first-party files.
      'require-sri': 'off',
      // The stylesheet keeps phone numbers on one line.
      'tel-non-breaking': 'off',
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
    },
  }),
);

/** The heaviest page allowed, in bytes, including its inline pictures. */
const heaviest = 100_000;

/** Words, and what a page that uses them must say. */
const jargon: readonly [RegExp, RegExp][] = [
  [/\bCLV\b/, /\bclosing line value\b.{0,3} the odds taken against/i],
  [/(?<![-\w])edge(?![-\w])/i, /without the bookmaker’s (?:cut|margin)|removes the bookmaker’s margin/],
  [/\b(?:no-vig|vig|Wilson|p-value|standard error|normal prior|t-test)\b/i, /^$/],
];

for (const [place, ledger] of ledgersOfPages().entries())
  describe(`the markup of every page over ${ledger.name}`, () => {
    const database = withDatabase({ filling: ledger });
    const redis = withRedis();
    let site: RunningApi;
    const texts = new Map<string, string>();

    before(async () => {
      site = await startApi({ database, redis }, { clock: fixedClock(ledger.now) });
      const paths = await pagePaths(database.database);
      // One ledger is enough for these.
      if (place === 0) paths.push(...fixedPaths);
      for (const path of paths) {
        const { body } = await request(site.address + path, { headers: { Accept: 'text/html' } });
        texts.set(path, await body.text());
      }
    });
    after(() => site?.close());

    it('is valid HTML', async () => {
      const faults: string[] = [];
      for (const [path, text] of texts) {
        const { results } = await validator.validateString(text);
        for (const { messages } of results)
          for (const { ruleId, message, line } of messages)
            faults.push(`${path}:${line} ${ruleId}: ${message}`);
      }
      expect(faults).to.deep.equal([]);
    });

    it('contains no inline script or style, and links to no script', () => {
      for (const [path, text] of texts) {
        const scripts = (text.match(/<script[^>]*>.?/gs) ?? []).filter(
          (tag) => !tag.startsWith('<script type="application/ld+json">'),
        );
        for (const tag of scripts)
          expect(tag, path).to.match(/^<script [^>]*src="\/(assets|embed)\/[^"]+"[^>]*><$/);
        expect(text, path).not.to.match(/<style|href="\s*javascript:/i);
        // Quoted text may contain anything.
        expect(text.replace(/"[^"]*"/g, '""'), path).not.to.match(/<[a-z][^>]*\s(style|on\w+)=/i);
      }
    });

    it('states without scripts what the site is, who it is for, and where to find help', () => {
      for (const [path, text] of texts) {
        // A letter outside of tags.
        expect(text, path).to.match(/<h1[^>]*>(<[^>]*>|\s)*[^<\s][\s\S]*<\/h1>/);
        expect(text, path).to.contain('21+ only');
        expect(text, path).to.contain('href="tel:1-800-4262537">1-800-GAMBLER</a>');
      }
    });

    it('is lightweight', () => {
      for (const [path, text] of texts) expect(Buffer.byteLength(text), path).to.be.below(heaviest);
    });

    it('links only to explanations that exist on /how', () => {
      const anchors = new Set([...(texts.get('/how') ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      for (const [path, text] of texts)
        for (const [, anchor] of text.matchAll(/ href="\/how(?:\?[^"#]*)?#([^"]+)"/g))
          expect(anchors.has(anchor), `${path}: ${anchor}`).to.equal(true);
    });

    it('explains the words that bettors may not know, on the page that uses them', () => {
      for (const [path, text] of texts) {
        // These are references: of the rules, the API, the log, and the service.
        if (/^\/(how|rules|docs|record\/export|ops)\b/.test(path)) continue;
        const explanations = [...text.matchAll(/title="([^"]*)"/g)].map(([, title]) => title).join(' ');
        const page = text
          .replaceAll(/<(script|head|footer|q|bdi)\b[\s\S]*?<\/\1>/g, '')
          .replaceAll(/<a [^>]*>[^<]*<\/a>|<option[^>]*>[^<]*<\/option>/g, '')
          .replaceAll(/<[^>]*>/g, ' ');
        for (const [word, meaning] of jargon)
          if (word.test(page)) expect(`${page} ${explanations}`, `${path}: ${word}`).to.match(meaning);
      }
    });

    it('has readable structured data', () => {
      for (const [path, text] of texts)
        for (const [, json = ''] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
          expect(JSON.parse(json), path).to.have.property('@context', 'https://schema.org');
    });

    it('shows hostile texts literally, if any', () => {
      for (const [path, text] of texts) {
        for (const name of Object.values(hostile)) expect(text, path).not.to.contain(name);
        expect(text, path).not.to.contain('<svg onload');
      }
    });
  });
