import { expect } from 'chai';
import { forgetFiles } from '../../src/operator/imports/kept-files.ts';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { xlsxFiles, zipOf } from '../support/xlsx.ts';

const [ada, bram] = ['token-of-ada-the-operator', 'token-of-bram-the-operator'];
const now = Date.parse('2024-10-20T16:00:00Z');

const matchup = 'Tampa Bay Rays @ Boston Red Sox';
const sheet = [
  'Date,Sport,Tipster,Game,Selection,Price,Stake,Outcome',
  `2024-10-05,MLB,Zoe,${matchup},Red Sox ML,-110,1,Won`,
  `2024-10-05,MLB,<b>Yan</b>,${matchup},Rays +1.5,1.91,2,Lost`,
  `2024-10-05,MLB,Zoe,${matchup},<script>alert(1)</script>,-110,1,Lost`,
].join('\n');

/** Returns the section of a page under a heading, by its id. */
function sectionOf(page: string, id: string): string {
  return page.split(`aria-labelledby="${id}"`)[1]?.split('</section>')[0] ?? '';
}

const digestIn = (page: string) => /name="digest" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe("the import on the operator's page", () => {
  const stores = withDatabase();
  const redis = withRedis();
  let operator: RunningOperator;
  let address: string;

  before(async () => {
    const settings = { OPERATOR_TOKEN: `ada:${ada},bram:${bram}` };
    operator = await startOperator({ database: stores, redis }, { now: () => now }, settings);
    address = operator.address;
  });
  after(() => operator?.close());

  const basic = (token: string) => ({ Authorization: `Basic ${btoa(`anyone:${token}`)}` });

  async function upload(name: string, content: string | Buffer, headers: Record<string, string> = {}) {
    const body = new FormData();
    body.set('file', new File([content as string], name));
    const response = await fetch(`${address}/import`, {
      method: 'POST',
      headers: { Origin: address, ...basic(ada), ...headers },
      body,
      redirect: 'manual',
    });
    return {
      status: response.status,
      path: response.headers.get('location') ?? '',
      text: await response.text(),
    };
  }

  async function open(path: string, token = ada) {
    const response = await fetch(address + path, { headers: basic(token) });
    return { status: response.status, text: await response.text() };
  }

  async function send(path: string, fields: Record<string, string>, to = address) {
    const response = await fetch(to + path, {
      method: 'POST',
      headers: { Origin: to, ...basic(ada) },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text() };
  }

  async function stored() {
    const count = async (table: string) => Number((await stores.database(table).count())[0]?.count);
    return {
      picks: await count('picks'),
      games: await count('games'),
      cappers: await count('cappers'),
      actions: await count('operator_actions'),
    };
  }

  it('shows what each row becomes, and stores the rows once, when the operator confirms', async () => {
    const { status, path } = await upload('..\\bets\u202efdp.csv', sheet);
    expect(status).to.equal(303);
    const { text } = await open(path);
    expect(text).to.contain('<h1>bets fdp.csv</h1>').and.not.contain('<script').and.not.contain('<b>Yan');
    expect(sectionOf(text, 'summary')).to.match(/2 new, 1 not stored/);
    expect(sectionOf(text, 'refused')).to.contain('Row 4').and.contain('&lt;script&gt;');
    expect(sectionOf(text, 'games'))
      .to.contain(matchup)
      .and.match(/On \w{3}, Oct \d, 2024, time unknown\./);
    expect(sectionOf(text, 'rows')).to.contain('Row 2').and.contain('Boston Red Sox ML -110 1u');
    expect(sectionOf(text, 'guesses')).to.contain('New cappers, added as listed');
    expect(await stored()).to.deep.equal({ picks: 0, games: 0, cappers: 0, actions: 0 });

    const confirmed = { do: 'import', now: '1', digest: digestIn(text) };
    const [one, other] = await Promise.all([send(path, confirmed), send(path, confirmed)]);
    expect([one.status, other.status].sort()).to.deep.equal([200, 409]);
    const [done, late] = one.status === 200 ? [one, other] : [other, one];
    expect(done.text).to.contain('Import: done');
    expect(late.text)
      .to.contain('All valid rows of this file are already stored.')
      .and.not.contain('Nothing was imported')
      .and.not.contain('value="import"');
    expect(await stored()).to.deep.equal({ picks: 2, games: 1, cappers: 2, actions: 1 });
    const [action] = await stores
      .database('operator_actions as a')
      .join('operator_outcomes as o', 'o.action_id', 'a.id')
      .select('a.operator', 'a.action', 'a.about', 'o.counts', 'o.refusals');
    expect(action).to.deep.include({ operator: 'ada', action: 'import', about: 'bets fdp.csv' });
    expect(action.counts).to.deep.equal({
      'cappers added': 2,
      'games added': 1,
      'picks added': 2,
      'picks refused': 1,
    });
    expect(action.refusals[0].index).to.equal(3);
    expect((await open('/')).text)
      .to.contain('Import: bets fdp.csv (6 rows)')
      .and.contain('picks added: 2');

    const again = await upload('again.csv', sheet);
    const shown = (await open(again.path)).text;
    expect(shown).to.contain('2 already stored').and.not.contain('value="import"');
  });

  it('stores each row once, when two servers import the same file at once', async () => {
    const settings = { OPERATOR_TOKEN: `ada:${ada}` };
    const second = await startOperator({ database: stores, redis }, { now: () => now }, settings);
    try {
      const rows = Array.from(
        { length: 40 },
        (_, at) => `2024-09-${10 + (at % 20)},MLB,Rex${at},${matchup},Red Sox ML,-110,${1 + at},Won`,
      );
      const { path } = await upload('twice.csv', [sheet.split('\n')[0], ...rows].join('\n'));
      const fields = { do: 'import', now: '1', digest: digestIn((await open(path)).text) };
      const before = await stored();
      const answers = await Promise.all([send(path, fields), send(path, fields, second.address)]);
      for (const { text } of answers)
        expect(text).to.match(/Import: done|already stored|Nothing was imported/);
      const after = await stored();
      expect(after.picks - before.picks).to.equal(40);
      expect(after.cappers - before.cappers).to.equal(40);
      expect((await open(path)).text).to.contain('40 already stored');
    } finally {
      await second.close();
    }
  });

  it('keeps picks with guesses back, lists them, and withdraws them', async () => {
    const { path } = await upload('waits.csv', sheet.replaceAll('2024-10-05', '2024-10-02'));
    const before = await stored();
    const fields = { do: 'import', digest: digestIn((await open(path)).text) };
    const done = await send(path, fields);
    expect(done.text).to.contain('2 picks were read with assumptions, and wait until');
    expect((await send(path, fields)).text).to.contain('Picks of waits.csv already wait');
    expect((await stored()).picks).to.equal(before.picks);
    const listed = (await open('/import')).text;
    expect(sectionOf(listed, 'waiting')).to.contain('waits.csv').and.contain('2 picks');
    const id = /name="id" value="(\d+)"/.exec(listed)?.[1] ?? '';
    expect((await send('/import/drop', { id })).text).to.not.contain('waits.csv');
    expect((await send('/import/drop', { id })).text).to.contain('This import does not wait');
  });

  it('shows the file again if the import would differ from the preview', async () => {
    const { path } = await upload('changed.csv', sheet.replaceAll('2024-10-05', '2024-10-04'));
    const digest = digestIn((await open(path)).text);
    const before = await stored();
    const zoe = stores.owner('cappers').where({ handle: 'zoe' });
    await zoe.clone().update({ verified: false });
    const { status, text } = await send(path, { do: 'import', now: '1', digest });
    expect(status).to.equal(409);
    expect(text).to.contain('Nothing was imported').and.contain('the capper zoe is not verified');
    expect(await stored()).to.deep.equal(before);
    await zoe.clone().update({ verified: true });
    expect((await send(path, { do: 'import', now: '1', digest })).text).to.contain('Import: done');
  });

  it('accepts corrections of what a column contains, and what the sheet omits', async () => {
    const rows = ['When,Game,On [us],Quote,Risked', `10/3/2024,${matchup},Red Sox ML,1.91,50`];
    const { path } = await upload('mine.csv', rows.join('\n'));
    const { status, text } = await open(path);
    expect(status).to.equal(200);
    expect(text).to.contain('no column names the capper. Set it with “Capper”').and.not.contain('--');
    expect(text).to.contain('name="column.When"');
    const given = { do: 'look', capper: 'Xia', sport: 'mlb', unit: '25' };
    const columns = { 'column.When': 'date', 'column.On [us]': 'pick' };
    const wrong = await send(path, { ...given, ...columns, zone: 'Mars' });
    expect(wrong.text).to.contain('Mars is not a time zone');
    const twice = await send(path, { ...given, ...columns, 'column.Game': 'date' });
    expect(twice.text).to.contain('Two columns have the same field: when and game');
    const read = (await send(path, { ...given, ...columns })).text;
    expect(sectionOf(read, 'rows')).to.contain('xia: MLB: Boston Red Sox ML -110 2u');
    expect(read).to.contain('value="Xia"').and.contain('<option value="date" selected>');
    const digest = digestIn(read);
    expect((await send(path, { do: 'import', now: '1', digest })).status).to.equal(409);
    const done = await send(path, { ...given, ...columns, do: 'import', now: '1', digest });
    expect(done.text).to.contain('Import: done');
  });

  it("accepts files in the service's own layout, and workbooks with several sheets", async () => {
    const game = { sport: 'mlb', game: 'New York Yankees @ Boston Red Sox', status: 'scheduled' };
    const orphan = { ...game, startsAt: '2024-09-01T23:00:00Z', market: 'total', side: 'over', line: 8.5 };
    const results = [{ ...orphan, result: 'win' }, { sport: 'mlb' }, { ...orphan, result: 'loss' }];
    const gone = await upload('results.ndjson', results.map((row) => JSON.stringify(row)).join('\n'));
    const rows = sectionOf((await open(gone.path)).text, 'refused').match(/Row \d/g);
    expect(rows).to.deep.equal(['Row 1', 'Row 2', 'Row 3']);

    const games = [{ ...game, startsAt: '2024-10-01T23:00:00Z' }, { sport: 'mlb' }];
    const own = await upload('games.ndjson', games.map((row) => JSON.stringify(row)).join('\n'));
    const shown = (await open(own.path)).text;
    expect(sectionOf(shown, 'summary')).to.contain('1 new').and.contain('1 not stored');
    expect(sectionOf(shown, 'refused')).to.contain('Row 2').and.not.contain('public-picks-import');
    const done = await send(own.path, { do: 'import', now: '1', digest: digestIn(shown) });
    expect(done.text).to.contain('Import: done');

    for (const tier of ['listed', 'elite']) {
      const row = JSON.stringify({ handle: 'tia', tier, verified: true });
      const { path } = await upload('cappers.ndjson', row);
      await send(path, { do: 'import', now: '1', digest: digestIn((await open(path)).text) });
    }
    expect(await stores.database('notices').pluck('text')).to.deep.equal([
      'The tier of tia was changed from listed to elite.',
    ]);

    const pick = {
      capperHandle: 'Tess',
      ...game,
      startsAt: '2024-10-01T23:00:00Z',
      status: undefined,
      market: 'moneyline',
      side: 'home',
      pick: 'Red Sox',
      oddsAmerican: -110,
      stakeUnits: 1,
      postedAt: '2024-10-01T12:00:00Z',
    };
    const array = (await open((await upload('picks.json', JSON.stringify([pick]))).path)).text;
    expect(sectionOf(array, 'refused')).to.contain('no capper is named Tess');
    await upload('cappers.json', JSON.stringify([{ handle: 'tess', tier: 'listed', verified: true }])).then(
      async ({ path }) => send(path, { do: 'import', digest: digestIn((await open(path)).text) }),
    );
    const known = (await open((await upload('picks.json', JSON.stringify([pick]))).path)).text;
    expect(sectionOf(known, 'summary')).to.contain('1 new').and.not.contain('not stored');

    const [header = [], row = []] = sheet.split('\n').map((line) => line.split(','));
    const sheets = { May: [header, row.with(2, 'Wes')], June: [header, row.with(2, 'Vic')], Notes: [['hi']] };
    const several = (await open((await upload('book.xlsx', zipOf(xlsxFiles(sheets)))).path)).text;
    expect(sectionOf(several, 'rows')).to.contain('sheet May, row 2').and.contain('sheet June, row 2');
    expect(several).to.contain('book.xlsx, sheet Notes has no header row for bets');
  });

  it('shows a file only to its uploader, keeps five, and forgets them after an hour', async () => {
    const { path } = await upload('private.csv', sheet);
    expect((await open(path, bram)).status).to.equal(404);
    expect((await open('/import/1')).status).to.equal(404);
    const earlier = stores.owner.raw("kept_at - interval '1 hour'");
    await stores.owner('operator_files').update({ kept_at: earlier });
    const { status, text } = await open(path);
    expect(status).to.equal(404);
    expect(text).to.contain('Choose it again');
    forgetFiles(stores.database, quiet)();
    await until(
      async () => (await stores.owner('operator_files').where({ name: 'private.csv' })).length === 0,
    );
    for (let count = 0; count < 7; count += 1) await upload(`${count}.csv`, sheet);
    expect((await stores.owner('operator_files').pluck('name')).sort()).to.deep.equal(
      [2, 3, 4, 5, 6].map((count) => `${count}.csv`),
    );
  });

  it('refuses a file that is not one of rows, is too large, or comes from another site', async () => {
    const refusals = [
      await upload('picture.png', 'x'),
      await upload('empty.csv', ''),
      await upload('large.csv', 'x'.repeat(9 * 2 ** 20)),
      await upload('foreign.csv', sheet, { Origin: 'https://evil.example' }),
      await upload('silent.csv', sheet, { Origin: '' }),
    ];
    expect(refusals.map(({ status }) => status)).to.deep.equal([422, 422, 413, 403, 403]);
    expect(refusals[0]?.text).to.contain('picture.png is not a supported file type');
    expect(refusals[2]?.text).to.contain('The file is larger than 8 MB');
    const nonsense = await fetch(`${address}/import`, {
      method: 'POST',
      headers: { Origin: address, ...basic(ada), 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nnonsense',
    });
    expect(nonsense.status).to.equal(400);
    const [header = '', row = ''] = sheet.split('\n');
    const book = xlsxFiles({ A: [['Date']] });
    const bomb = zipOf({ ...book, 'xl/worksheets/sheet1.xml': Buffer.alloc(90 * 2 ** 20) });
    for (const [name, content, reason] of [
      ['long.csv', `${header}\n${`${row}\n`.repeat(5_001)}`, 'more than 5,000 rows'],
      ['bomb.xlsx', bomb, 'too large when unpacked'],
      ['text.xlsx', 'hello', 'not a valid .xlsx workbook'],
    ] as const) {
      const { path } = await upload(name, content);
      expect((await open(path)).text, name).to.contain(reason);
      const { status, text } = await send(path, { do: 'import', digest: '' });
      expect([status, text.includes(reason)], name).to.deep.equal([409, true]);
    }
  });
});
