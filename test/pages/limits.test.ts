import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hourly } from '../../src/http/api/webhooks/service.ts';
import { consensusCappers, consensusWindowMs } from '../../src/rules/consensus.ts';
import { waitMs } from '../../src/sources/waiting-imports.ts';
import { defaults } from '../../src/webhooks/client/client.ts';
import { cycleMs } from '../../src/webhooks/delivery/cycle.ts';
import { maxFailures, maxRetryAfterMs } from '../../src/webhooks/delivery/failure-policy.ts';
import { maxEvents } from '../../src/webhooks/delivery/lease.ts';
import { maxPerClient } from '../../src/webhooks/subscriptions/limits.ts';
import { maxOverlapSeconds } from '../../src/webhooks/subscriptions/manage.ts';
import { retention } from '../../src/webhooks/subscriptions/retention.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Names a period: `a minute`, `30 days`. */
function period(ms: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 };
  const [name, unit] = Object.entries(units).find(
    ([, of]) => ms % of === 0 && (ms / of < 100 || of === 1000),
  )!;
  return ms === unit ? `${name === 'hour' ? 'an' : 'a'} ${name}` : `${ms / unit} ${name}s`;
}
const hours = (ms: number) => `${ms / 3_600_000} hours`;

/** Every limit and period that a page states, with the value of the code that keeps it. */
const stated: Record<string, string[]> = {
  '/webhooks': [
    `${words[hourly.times]} new subscriptions ${period(hourly.inMs)}, and ${maxPerClient} that are active`,
    `We send events once ${period(cycleMs)} in ledger order, at most ${maxEvents} per subscription. The rest follow ${period(cycleMs)} later`,
    `200 to 299 within ${period(defaults.totalMs)} counts as received`,
    `at most ${defaults.bodyBytes / 1024} KiB of the response`,
    `retry the same event ${period(cycleMs)} later`,
    `up to ${period(maxRetryAfterMs)}.`,
    `After ${words[maxFailures]} failures in a row the subscription is disabled`,
    `delivery attempts for ${period(retention.attempt.forMs)}`,
    `Each action is limited to ${words[hourly.times]} ${period(hourly.inMs)}`,
    `both signatures for ${hours(maxOverlapSeconds * 1000)}`,
    `stay disabled, are deleted after ${period(retention.subscription.forMs)}`,
  ],
  '/': [
    `${words[consensusCappers]![0]!.toUpperCase()}${words[consensusCappers]!.slice(1)} or more elite or verified sharp cappers on the same side, posted within ${hours(consensusWindowMs)}`,
    `same side of an upcoming game within ${hours(consensusWindowMs)}`,
  ],
  '/sharp': [`posted within the last ${hours(consensusWindowMs)}`],
};

/** Finds claims of a limit or a period in a text. */
const claim =
  /\b(?:\d+ (?:KiB|KB|MB)|(?:up to|at most|within|for|after|limited to|once) (?:an? (?:minute|hour|day)|\d+ (?:seconds|minutes|hours|days)|\d+ per \w+|\w+ (?:times )?an? (?:minute|hour|day)))\b/g;

describe('limits and periods that pages state', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  before(async () => {
    site = await startApi({ database, redis });
  });
  after(() => site?.close());

  for (const [path, sentences] of Object.entries(stated))
    it(`are those of the code on ${path}`, async () => {
      const response = await fetch(site.address + path, { headers: { Accept: 'text/html' } });
      const text = (await response.text())
        .replaceAll(/<(script|style|head|footer)[\s\S]*?<\/\1>/g, '')
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ');
      for (const sentence of sentences) expect(text).to.include(sentence);
      if (!path.startsWith('/webhooks')) return;
      const rest = sentences.reduce((left, sentence) => left.replaceAll(sentence, ''), text);
      expect(rest.match(claim) ?? [], 'claims that no code is compared with').to.deep.equal([]);
    });

  it('are those of the code in the README', () => {
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text).to.include(`public after ${period(waitMs)}; until then \`--drop\` withdraws them`);
    expect(text.match(claim) ?? []).to.deep.equal([`after ${period(waitMs)}`]);
  });
});
