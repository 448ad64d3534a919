import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { beginTestLog } from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { runVerb } from '../support/verbs.ts';

/** A capper's verbs have no settings. */
const noSettings = () => {
  throw new Error('the verb asked for settings');
};

describe('the verbs for a capper who signs with a program', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const folder = withFolder();
  let site: RunningApi;
  let capperId: number;
  let file: string;

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capperId = id;
    const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000);
    await stores.owner('games').insert({
      sport: 'nfl',
      name: 'Harbor Gulls @ Silver Foxes',
      announced_start: startsAt,
      starts_at: startsAt,
    });
    await beginTestLog(stores.database);
    site = await startApi({ database: stores, redis }, { clock: { now: () => Date.now() } });
    file = join(folder.path(), 'ada.key');
  });
  after(() => site?.close());

  const link = async () =>
    `${site.address}/join#ada.${(await makeInvite(stores.database, capperId, Date.now())).token}`;

  it('make a key readable only by its owner, once', async () => {
    const refused = await runVerb(
      ['author-key', '--file', file, `${site.address}/join#ada.${'a'.repeat(32)}`],
      noSettings,
    );
    expect([refused.status, existsSync(file)]).to.deep.equal([1, false]);
    expect(refused.err).to.match(/unknown, expired, or used/);
    const made = await runVerb(['author-key', '--file', file, await link()], noSettings);
    expect(made.out, made.err).to.match(
      /^Registered key [0-9a-f]{4}( [0-9a-f]{4}){3} for ada at http:\S+, whose log is picks\.example\/ledger\.\n$/,
    );
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const before = readFileSync(file, 'utf8');
    const again = await runVerb(['author-key', '--file', file, await link()], noSettings);
    expect([again.status, readFileSync(file, 'utf8')]).to.deep.equal([1, before]);
    expect(
      (await runVerb(['author-key', '--file', `${file}2`, 'https://picks.example/'], noSettings)).err,
    ).to.match(/not the link of an invitation/);
  });

  it('sign and post a line of text', async () => {
    const line = 'Gulls +3.5 -110 2u';
    const dry = await runVerb(['post', '--dry-run', '--file', file, line], noSettings);
    expect(dry.out, dry.err).to.contain('"line_e3": 3500');
    expect(dry.out).to.contain(
      'You ask -110; nobody has seen a price of this bet. It would count at -110. It',
    );
    expect(dry.out).to.contain(
      `Signing as ada for Public Picks at ${site.address}, whose log is picks.example/ledger.`,
    );
    expect(await stores.owner('picks').pluck('id')).to.deep.equal([]);
    const posted = await runVerb(['post', '--file', file, line], noSettings);
    expect(posted.out, posted.err).to.match(/Posted: https:\/\/picks\.example\/p\/[\w-]{36}\n$/);
    const [row] = await stores.owner('picks').select('author_key', 'line_e3', 'stake_e4');
    expect(row).to.include({ line_e3: 3500, stake_e4: 20_000 });
    expect(row.author_key).to.match(/^[0-9a-f]{64}$/);
  });

  it('refuse an ambiguous line, and a key that others may read', async () => {
    const refusals: [line: string, sentence: RegExp][] = [
      ['Gulls +3.5 2u', /no odds/],
      ['Gulls +3.5 -110', /no stake/],
      ['Nobody ML -110 1u', /./],
      ['Gulls +3.5 -110 2u', /repeats|pending/i],
    ];
    for (const [line, sentence] of refusals) {
      const { status, err } = await runVerb(['post', '--file', file, line], noSettings);
      expect([line, status]).to.deep.equal([line, 1]);
      expect(err).to.match(sentence);
    }
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, kept.replace('picks.example/ledger', 'elsewhere.example/ledger'));
    expect((await runVerb(['post', '--file', file, 'Foxes ML -110 1u'], noSettings)).err).to.match(
      /now names its log picks\.example\/ledger, but .* is for elsewhere\.example\/ledger/,
    );
    writeFileSync(file, kept);
    chmodSync(file, 0o644);
    expect((await runVerb(['post', '--file', file, 'Foxes ML -110 1u'], noSettings)).err).to.match(
      /chmod 600/,
    );
    expect(await stores.owner('picks').pluck('id')).to.have.lengthOf(1);
  });
});
