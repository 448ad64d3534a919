import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { applyCappers } from '../../src/intake/capper.ts';
import { type FileKind, fileKinds, type KindName, kindNames } from '../../src/intake/kinds.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { type AuthorKey, firstKey, signedPost, testOrigin } from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { addTeams } from '../support/teams.ts';
import { ingest } from '../support/whole-way.ts';

const token = 'the-token-of-these-tests';
const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Bets of the generated rows by sport, with sides and lines that fit or not, and how a person writes some of them. */
const bets = {
  nfl: [
    { market: 'moneyline', side: 'home', words: 'HOME ML' },
    { market: 'spread', side: 'away', line: 3.5, words: 'AWAY +3.5' },
    { market: 'total', side: 'over', line: 41.25, words: 'over 41.25 HOME AWAY' },
    { market: 'first_half_total', side: 'under', line: 20, words: '1H under 20 HOME AWAY' },
    { market: 'player_receptions', subject: 'Rory Finch', side: 'over', line: 4.5 },
    { market: 'first_touchdown', subject: 'Ada Cole', side: 'yes' },
    { market: 'first_touchdown', subject: 'Bea Ray', side: 'no' },
  ],
  soccer: [
    { market: 'moneyline', side: 'draw', words: 'draw HOME AWAY' },
    { market: 'spread', side: 'home', line: -0.75, words: 'HOME -0.75' },
    { market: 'total', side: 'over', line: 2.5, words: 'over 2.5 HOME AWAY' },
    { market: 'btts', side: 'yes', words: 'BTTS yes HOME AWAY' },
    { market: 'spread', side: 'draw', line: 1 },
  ],
  tennis: [
    { market: 'moneyline', side: 'away', words: 'AWAY ML' },
    { market: 'total', side: 'under', line: 22.5, words: 'under 22.5 games HOME AWAY' },
    { market: 'spread', side: 'home', line: -3.5 },
    { market: 'set_winner', subject: 'Set 1', side: 'home' },
  ],
} as const satisfies Record<string, readonly Bet[]>;
type Sport = keyof typeof bets;
const sports = Object.keys(bets) as Sport[];

interface Bet {
  market: string;
  subject?: string;
  side: string;
  line?: number;
  words?: string;
}
/** Points, or sets. */
const scoreIn = (sport: Sport) => fc.integer({ min: 0, max: sport === 'tennis' ? 3 : 30 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** Fields of rows by kind, without the game and the times. */
function rowsOf(sport: Sport): Readonly<Record<KindName, fc.Arbitrary<object>>> {
  const bet = fc.constantFrom<Bet>(...bets[sport]);
  const selection = bet.map(({ words: _, ...one }) => one);
  return {
    cappers: fc.record({
      handle: fc.constantFrom('ada', 'bea'),
      tier: fc.constantFrom('elite', 'listed'),
      verified: fc.boolean(),
    }),
    games: fc
      .record(
        {
          status: fc.constantFrom('scheduled', 'final', 'postponed', 'cancelled'),
          homeScore: scoreIn(sport),
          awayScore: scoreIn(sport),
          homeHalfScore: maybe(fc.constantFrom(0, 3)),
          awayHalfScore: maybe(fc.constantFrom(0, 3)),
          sets:
            sport === 'tennis'
              ? maybe(
                  fc.constantFrom(
                    [
                      [6, 4],
                      [6, 3],
                    ],
                    [
                      [6, 4],
                      [2, 1],
                    ],
                  ),
                )
              : fc.constant(undefined),
          played: maybe(fc.constantFrom('full', 'shortened')),
          periods: maybe(fc.constantFrom(1, 3.75)),
          moved: maybe(fc.integer({ min: -5, max: 5 })),
        },
        { noNullPrototype: true },
      )
      // Only a final game has a score.
      .map((row) =>
        row.status === 'scheduled' ? { ...row, homeScore: undefined, awayScore: undefined } : row,
      ),
    lines: selection.map((one) => ({ ...one, oddsAmerican: -110, book: 'north' })),
    picks: fc.tuple(bet, fc.constantFrom(-110, 150)).map(([one, odds]) => pickOf(one, odds)),
    results: fc
      .tuple(selection, fc.constantFrom('win', 'loss', 'push', 'void'), fc.boolean(), maybe(fc.boolean()))
      .map(([one, result, isScratch, half]) =>
        isScratch
          ? { market: one.market, subject: one.subject, result: 'void', reason: 'Scratched.' }
          : { ...one, result, half },
      ),
    stats: fc.record({
      player: fc.constantFrom('Rory Finch', 'Ada Cole'),
      played: maybe(fc.boolean()),
      stats: maybe(fc.record({ receptions: fc.integer({ min: 0, max: 9 }) })),
    }),
    notices: fc.constant({ text: 'A remark.' }),
  };
}

const doors = ['json', 'form', 'text', 'csv', 'ndjson', 'sheet', 'signed'] as const;
type Door = (typeof doors)[number];

/** The kinds that each door takes. A form of results takes no void before the start, and none takes prices. */
const kindsOf: Readonly<Record<Door, readonly KindName[]>> = {
  json: kindNames,
  form: kindNames.filter((kind) => kind !== 'lines'),
  text: ['picks'],
  csv: fileKinds,
  ndjson: fileKinds,
  sheet: ['picks'],
  signed: ['picks'],
};

interface Step {
  door: Door;
  kind: KindName;
  at: number;
  dated: number;
  claim: string;
  fields: object;
}

const given = (door: Door, kind: KindName, at: number, fields: object): Step => ({
  door,
  kind,
  at,
  dated: 0,
  claim: '',
  fields,
});
const touchdown = { market: 'first_touchdown', subject: 'Ada Cole', side: 'yes' };

function pickOf(bet: Bet, oddsAmerican: number) {
  return { capperHandle: 'ada', ...bet, pick: 'a bet', oddsAmerican, stakeUnits: 1 };
}

const step = (sport: Sport): fc.Arbitrary<Step> =>
  fc
    .constantFrom(...doors)
    .chain((door) =>
      fc.record({
        door: fc.constant(door),
        // Picks and their results come more often than the rest.
        kind: fc.constantFrom(
          ...kindsOf[door],
          ...(['picks', 'results'] as const).filter((kind) => kindsOf[door].includes(kind)),
        ),
        /** Minutes after the start. */
        at: fc.constantFrom(-240, -120, -61, -1, 0, 30, 90, 200, 300),
        /** Difference between the row's own time and the clock, in minutes. */
        dated: fc.constantFrom(0, -100, 0, -1),
        /** The result that a sheet claims. */
        claim: fc.constantFrom('', 'Won', 'Lost', 'Push', 'Void'),
      }),
    )
    .chain((one) => rowsOf(sport)[one.kind].map((fields) => ({ ...one, fields })));
/** Set `DOORS_RUNS` for more. */
const numRuns = Number(process.env.DOORS_RUNS ?? 8);

/** Rows that the doors accept, each pick on a bet of its own, so that the property says something about each. Sheets are left to the generated rows. */
const accepted: [Sport, Step[]] = [
  'nfl',
  [
    ...doors
      .filter((door) => door !== 'sheet')
      .map((door, at) =>
        given(door, 'picks', -240, pickOf(bets.nfl[[0, 1, 2, 3, 5, 4][at]!]!, [150, -110, -120][at % 3]!)),
      ),
    given('json', 'lines', -120, { market: 'moneyline', side: 'home', oddsAmerican: -110, book: 'north' }),
    given('form', 'cappers', -61, { handle: 'bea', tier: 'listed', verified: true }),
    given('json', 'cappers', -60, { handle: 'bea', tier: 'elite', verified: true }),
    given('form', 'stats', 200, { player: 'Rory Finch', played: true, stats: { receptions: 5 } }),
    given('csv', 'stats', 200, { player: 'Ada Cole', played: true }),
    given('form', 'results', 200, { ...touchdown, result: 'win' }),
    given('ndjson', 'results', 200, { ...touchdown, subject: 'Bea Ray', result: 'loss' }),
    given('form', 'games', 300, { status: 'final', homeScore: 21, awayScore: 20 }),
    given('form', 'notices', 300, { text: 'A remark.' }),
  ],
];

const outcomeIn = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).find(([, count]) => count > 0)?.[0] ?? '';

/** Writes a number in letters. */
const letters = (number: number): string =>
  [...String(number)].map((digit) => 'abdefghiko'[Number(digit)]).join('');

const plainText = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Returns the fields of the operator's form with a row. */
function formOf(kind: KindName, row: Record<string, unknown>): Record<string, unknown> {
  const yes = (value: unknown) => (value == null ? value : value ? 'yes' : 'no');
  const { stats, pick: _, ...rest } = row;
  if (kind === 'picks') return rest;
  if (kind === 'cappers') return { ...row, verified: yes(row.verified) };
  if (kind === 'results') return { ...row, half: yes(row.half) };
  if (kind === 'stats') return { ...rest, ...(stats as object), played: yes(row.played ?? true) };
  if (kind === 'games') {
    const { status, game, homeScore, awayScore, sets, ...more } = row;
    if (status !== 'final') return { status, game };
    const words = (sets as number[][] | undefined)?.map((one) => one.join('-')).join(' ');
    return { ...more, status, game, homeScore, awayScore, sets: words };
  }
  return row;
}

/** Writes a pick in one line. A bet without words is written as its fields. */
function textOf(
  { game, market, subject, side, line, oddsAmerican, stakeUnits }: Record<string, unknown>,
  words?: string,
): string {
  const [away = '', home = ''] = String(game).split(' @ ');
  const bet = (
    words ??
    [subject, side, line, String(market).replace(/^player_/, '')].filter((word) => word != null).join(' ')
  )
    .replace('AWAY', away)
    .replace('HOME', home);
  return `${bet} ${Number(oddsAmerican) > 0 ? '+' : ''}${oddsAmerican} ${stakeUnits}u`;
}

/** Writes a row as CSV in the service's own columns. */
function csvOf(row: Readonly<Record<string, unknown>>): string[] {
  const { stats, sets, ...rest } = row;
  const written = (sets as number[][] | undefined)?.map((one) => one.join('-')).join(' ');
  const cells = Object.entries({ ...rest, ...(stats as object), sets: written }).filter(
    ([, cell]) => cell != null,
  );
  return [cells.map(([name]) => name).join(','), cells.map(([, cell]) => `"${cell}"`).join(',')];
}

/** Writes a pick as a tracker exports it. */
function sheetOf(row: Record<string, unknown>, words?: string): string {
  const cells = {
    Tipster: row.capperHandle,
    Placed: row.dated,
    Kickoff: row.startsAt,
    Sport: row.sport,
    Matchup: row.game,
    Bet: textOf(row, words).replace(/ \S+ \S+$/, ''),
    Odds: row.oddsAmerican,
    Stake: row.stakeUnits,
    Result: row.claim,
  };
  return `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`;
}

describe('what a door accepts', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let operator: RunningOperator;
  let number = 0;
  let now = Date.parse('2024-01-01T00:00:00Z');
  let key: AuthorKey;

  before(async () => {
    operator = await startOperator(
      { database: stores, redis },
      { now: () => now },
      { OPERATOR_TOKEN: token },
    );
    await verify();
    const { id } = await stores.database('cappers').where({ handle: 'ada' }).first('id');
    key = await firstKey(stores.database, { id, handle: 'ada' }, now);
  });
  after(() => operator?.close());

  /** Lets the capper post, who may have lost that by a generated row. */
  async function verify() {
    const ada = { handle: 'ada', tier: 'elite', verified: true } as const;
    await applyCappers(stores.database, [ada], { now, imported: false });
  }

  async function work(at: number) {
    await gradeDue(stores.database, at);
    await sealAll(stores.database);
  }

  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };

  /** Sends a row through a door. @returns its outcome */
  async function send(door: Door, kind: KindName, given: Record<string, unknown>): Promise<string> {
    const { dated, words, claim, ...row } = given as Record<string, unknown> & { words?: string };
    if (door === 'signed') return signed(row);
    if (door === 'form') return filled(kind, formOf(kind, row));
    if (door === 'text') return filled('picks', { capperHandle: 'ada', text: textOf(row, words) });
    if (door === 'sheet') return imported('my-bets.csv', sheetOf({ ...row, dated, claim }, words));
    if (door === 'ndjson' || door === 'csv') {
      const own = kind === 'picks' ? { ...row, postedAt: dated } : row;
      const file = folder.write(`${kind}.${door}`, door === 'csv' ? csvOf(own) : [own]);
      const { counts } = await ingest(stores.database, file, now);
      return outcomeIn(counts[kind as FileKind]);
    }
    const response = await fetch(`${operator.address}/${kind}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify([row]),
    });
    const { rows: answers } = (await response.json()) as { rows: { outcome: string }[] };
    return answers[0]!.outcome;
  }

  async function signed(row: Record<string, unknown>): Promise<string> {
    const { startsAt, capperHandle, oddsAmerican, stakeUnits, line, ...rest } = row;
    const known = await stores.database('games').where({ name: row.game }).first('starts_at');
    const intent = {
      origin: testOrigin,
      ...rest,
      capper: capperHandle,
      starts_at: iso(known?.starts_at ?? Date.parse(String(startsAt))),
      subject: row.subject ?? null,
      day: null,
      line_e3: line === undefined ? null : Number(line) * 1000,
      odds_american: oddsAmerican,
      stake_e4: Number(stakeUnits) * 10_000,
      book: null,
      nonce: randomBytes(12).toString('base64url'),
      at: iso(now),
    };
    return (await postSigned(stores.database, await signedPost(key, intent as never), now)).outcome;
  }

  /** Fills in the operator's form and presses the button of its review. */
  async function filled(kind: KindName, fields: Record<string, unknown>): Promise<string> {
    const path = kind === 'games' ? 'scores' : kind;
    const query = new URLSearchParams({ review: 'yes' });
    for (const [name, value] of Object.entries(fields)) if (value != null) query.set(name, String(value));
    const game = await stores
      .database('games')
      .where({ name: fields.game ?? null })
      .first('id');
    if (game !== undefined) query.set('game', game.id);
    const review = await fetch(`${operator.address}/forms/${path}?${query}`, { headers });
    const page = await review.text();
    if (!page.includes('Review before you confirm')) return 'refused';
    const kept = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const response = await fetch(`${operator.address}/forms/${path}`, {
      method: 'POST',
      headers: { ...headers, Origin: operator.address },
      body: new URLSearchParams(
        Object.fromEntries(kept.map(([, name = '', value = '']) => [name, plainText(value)])),
      ),
    });
    const answer = await response.text();
    if (response.status === 422) return 'refused';
    expect(response.status, answer).to.equal(200);
    return /is posted|Added/.test(answer) ? 'added' : answer.includes('Changed') ? 'updated' : 'unchanged';
  }

  /** Imports a file on the operator's page. @returns the outcome of its pick */
  async function imported(name: string, content: string): Promise<string> {
    const form = new FormData();
    form.set('file', new File([content], name));
    const sent = { method: 'POST', headers: { ...headers, Origin: operator.address } };
    const response = await fetch(`${operator.address}/import`, { ...sent, body: form, redirect: 'manual' });
    const path = `${operator.address}${response.headers.get('location')}`;
    const preview = await (await fetch(path, { headers })).text();
    if (!preview.includes('value="import"'))
      return /\d already stored/.test(preview) ? 'unchanged' : 'refused';
    const digest = /name="digest" value="([^"]+)"/.exec(preview)![1]!;
    const done = await fetch(path, {
      ...sent,
      body: new URLSearchParams({ do: 'import', now: '1', digest }),
    });
    expect(done.status, await done.text()).to.equal(200);
    const { counts } = await stores
      .database('operator_outcomes')
      .orderBy('action_id', 'desc')
      .first('counts');
    return (
      /^picks (\w+)$/.exec(Object.keys(counts).find((name) => name.startsWith('picks ')) ?? '')?.[1] ?? ''
    );
  }

  it('is sealed, graded, and clean in the audit, at every time', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...sports)
          .chain((sport) =>
            fc.tuple(fc.constant(sport), fc.array(step(sport), { minLength: 4, maxLength: 12 })),
          ),
        async ([sport, steps]) => {
          number += 1;
          now += 400 * hour;
          const start = now + 100 * hour;
          const teams = { away: `Harbor Gulls${letters(number)}`, home: `Copper Foxes${letters(number)}` };
          const game = { sport, game: `${teams.away} @ ${teams.home}`, startsAt: iso(start) };
          now = start - 300 * 60_000;
          // A sheet takes no unknown team of a closed league.
          if (sport === 'nfl') await addTeams(stores.owner, sport, teams.away, teams.home);
          expect(await send('json', 'games', game)).to.equal('added');
          await verify();
          for (const { kind, door, at, dated, claim, fields } of steps.toSorted(
            (one, other) => one.at - other.at,
          )) {
            now = start + at * 60_000 + (number % 7) * 1000;
            const own = now + dated * 60_000;
            const { moved, ...rest } = fields as { moved?: number };
            const times: Record<string, unknown> = {
              lines: { capturedAt: iso(own) },
              games: {
                ...(moved === undefined ? {} : { movedTo: iso(start + moved * hour) }),
                ...(dated === 0 ? {} : { finalAt: iso(own) }),
              },
              results: dated === 0 ? {} : { finalAt: iso(own) },
              stats: dated === 0 ? {} : { finalAt: iso(own) },
            };
            const named = kind === 'cappers' || kind === 'notices' ? {} : game;
            const dates = kind === 'picks' ? { dated: iso(own), claim } : times[kind];
            const outcome = await send(door, kind, { ...named, ...rest, ...(dates as object) });
            expect(outcome).to.not.equal('');
            reached.add(`${kind} ${outcome}`).add(`${door} ${outcome}`);
            await work(now);
          }
          now = Math.max(now, start) + 100 * hour;
          await send('json', 'games', { ...game, status: 'final', homeScore: 21, awayScore: 20 });
          await work(now);
          expect(await eventsSetAside(stores.database)).to.deep.equal([]);
          expect(await stores.database('unsealed_events')).to.deep.equal([]);
          const found: string[] = [];
          for await (const { message } of auditPicks(stores.database as never, () => {})) found.push(message);
          expect(found).to.deep.equal([]);
        },
      ),
      { numRuns, examples: [[accepted]], includeErrorInReport: true },
    );
    await expectSoundLedger(stores.database);
    // Otherwise the property would say little.
    expect([...reached]).to.include.members([
      ...doors.filter((door) => door !== 'sheet').map((door) => `${door} added`),
      ...kindNames.map((kind) => `${kind} ${kind === 'games' || kind === 'cappers' ? 'updated' : 'added'}`),
    ]);
  }).timeout(600_000);

  it('voids the picks on a scratched player before the start, with a notice, and no later ones', async () => {
    const start = now + 10 * hour;
    const game = { sport: 'nfl', game: 'Harbor Gulls 0 @ Copper Foxes 0', startsAt: iso(start) };
    const finch = { market: 'player_receptions', subject: 'Rory Finch', side: 'over', line: 4.5 };
    const pick = { capperHandle: 'ada', ...game, pick: 'a bet', oddsAmerican: -110, stakeUnits: 1 };
    await verify();
    await send('json', 'games', game);
    await send('json', 'picks', { ...pick, ...finch });
    await send('json', 'picks', { ...pick, ...finch, side: 'under', line: 3.5 });
    await send('json', 'picks', { ...pick, ...finch, subject: 'Ada Cole' });
    now += hour;
    const scratch = { ...game, market: 'player_receptions', result: 'void', reason: 'Finch is scratched.' };
    const { side, line, ...bare } = { ...scratch, ...finch };
    expect(await send('json', 'results', { ...scratch, ...finch })).to.equal('refused');
    expect(await send('json', 'results', { ...game, ...finch, result: 'void' })).to.equal('refused');
    expect(await send('json', 'results', { ...bare, market: 'moneyline', subject: undefined })).to.equal(
      'refused',
    );
    expect(await send('json', 'results', bare)).to.equal('added');
    expect(await send('json', 'results', bare)).to.equal('unchanged');
    await work(now);
    now += hour;
    expect(await send('json', 'picks', { ...pick, ...finch })).to.equal('added');
    await work(now);
    const settled = await stores
      .database('picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .where('g.name', game.game)
      .orderBy('p.id')
      .select('s.result', 's.grader', 's.settled_at');
    const isVoid = { result: 'void', grader: 'result', settled_at: now - hour };
    const isOpen = { result: null, grader: null, settled_at: null };
    expect(settled).to.deep.equal([isVoid, isVoid, isOpen, isOpen]);
    const notices = await stores.database('notices').where({ topic: 'void' }).orderBy('id', 'desc').limit(1);
    expect(notices[0].text).to.equal(
      `nfl: ${game.game}, player_receptions of Rory Finch: picks posted until ${iso(now - hour)} are void. Finch is scratched.`,
    );
    expect(await eventsSetAside(stores.database)).to.deep.equal([]);
    now = start + 1000;
    expect(await send('json', 'results', { ...bare, reason: 'Too late.' })).to.equal('refused');
    await expectSoundLedger(stores.database);
  });
});
