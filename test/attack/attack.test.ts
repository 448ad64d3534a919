import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { seeded } from '../ledger/tampering.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type Attack, type Attacker, createAttacker, type Outcome } from './attacker.ts';
import { authorForgeries } from './author-forgeries.ts';
import { derivedAttacks, remainingAttacks, rewrittenLogs } from './derived.ts';
import { columnsOf, forgedPicks, forgedProjections, forgedRows } from './forgeries.ts';
import { escapeAttacks, grid, ownerAttacks } from './statements.ts';
import { buildWorld, type World } from './world.ts';

/** `npm run attack` tries everything, `npm test` a sample of each kind. */
const isFull = process.env.ATTACK === 'full';

describe('attacks on a live log, through each database login', function () {
  this.timeout(isFull ? 3_600_000 : 120_000);
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  let world: World;
  let attacker: Attacker;
  const outcomes: Outcome[] = [];

  before(async () => {
    world = await buildWorld(stores.database, folder);
    attacker = await createAttacker(stores, world);
  });
  after(async () => {
    await attacker?.close();
    print(outcomes);
  });

  /** Tries all attacks of a kind, or a sample of the given size in the short form. */
  async function tryAll(attacks: Iterable<Attack> | AsyncIterable<Attack>, short: number): Promise<number> {
    const all: Attack[] = [];
    for await (const attack of attacks) all.push(attack);
    // Seeded, so that each run draws the same sample.
    const random = seeded(15);
    const order = all.map((attack) => ({ attack, at: random() })).sort((one, other) => one.at - other.at);
    const chosen = isFull ? order : order.slice(0, short);
    const unnoticed: string[] = [];
    let tried = 0;
    for (const { attack } of chosen) {
      const outcome = await attacker.attempt(attack);
      if (outcome.result === 'none') continue;
      outcomes.push(outcome);
      tried += 1;
      if (outcome.result === 'unnoticed')
        unnoticed.push(
          `${outcome.attack.kind}, ${outcome.attack.login}: ${outcome.attack.statements.join('; ').slice(0, 1500)}`,
        );
    }
    expect(unnoticed, `${unnoticed.length} of ${tried} went unnoticed`).to.deep.equal([]);
    return tried;
  }

  it('start from a log in which every check passes', async () => {
    const nothing = { kind: 'nothing', login: 'owner', statements: ['select 1'] } as const;
    expect(await attacker.attempt({ ...nothing, statements: [...nothing.statements] })).to.include({
      result: 'unnoticed',
    });
  });

  it('change nothing that the login has no rights on', async () => {
    const columns = await columnsOf(stores.owner);
    const names = new Map([...columns].map(([table, list]) => [table, list.map(({ name }) => name)]));
    await tryAll(grid(names), 200);
  });

  it('never escape the rights of the login', () => tryAll(escapeAttacks(), 75));

  it('cannot change the schema unnoticed, even as the owner', async () => {
    const { rows } = await stores.owner.raw(
      `select tgname as name, tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = tgrelid
       where not tgisinternal and relnamespace = 'public'::regnamespace and tgparentid = 0`,
    );
    await tryAll(ownerAttacks(rows), 15);
  });

  it('cannot store impossible picks', async () => {
    const columns = (await columnsOf(stores.owner)).get('picks')!;
    await tryAll(forgedPicks(columns), 25);
  });

  it('cannot store closings, settlements, entries, or nodes that contradict the data', () =>
    tryAll(forgedRows(stores.owner, isFull ? 6 : 1), 40));

  it("cannot sign for a capper or change a capper's keys unnoticed", async () => {
    const attacks: Attack[] = [];
    for await (const attack of authorForgeries(stores.owner, world.authors, world.upcoming))
      attacks.push(attack);
    expect(await tryAll(attacks, attacks.length)).to.equal(attacks.length);
    // At least one login must store each row that is declared to remain. Otherwise something else may have refused it.
    for (const { kind, remains } of attacks)
      if (remains !== undefined)
        expect(outcomes.find(({ attack, by }) => attack.kind === kind && by === remains.sentence)).to.exist;
  });

  it('cannot change derived data unnoticed', async () => {
    const attacks = [...derivedAttacks()];
    expect(await tryAll(attacks, attacks.length)).to.equal(attacks.length);
  });

  it('achieve nothing beyond what docs/security.md lists', async () => {
    const attacks = [...remainingAttacks(world), ...rewrittenLogs(world)];
    expect(await tryAll(attacks, attacks.length)).to.equal(attacks.length);
    const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    const sentences = outcomes
      .filter(({ attack, by }) => attack.remains?.sentence === by)
      .map(({ by }) => by);
    expect(sentences).to.have.length.above(attacks.length - 2);
    for (const sentence of new Set(sentences)) expect(text).to.include(sentence.slice(0, -1));
  });

  it('cannot change the inputs of boards unnoticed', async () => {
    await tryAll(forgedProjections(await columnsOf(stores.owner)), 40);
  });
});

/** Prints the count of each kind of attack, attacker, outcome, and defense. */
function print(outcomes: readonly Outcome[]): void {
  const counts = Map.groupBy(outcomes, ({ attack, result, by }) =>
    [attack.kind, attack.login === 'owner' ? 'owner' : 'a login', result, by].join(' | '),
  );
  const lines = [...counts].sort().map(([key, { length }]) => `    ${key} | ${length}`);
  const results = Map.groupBy(outcomes, ({ result }) => result);
  const totals = [...results].map(([result, { length }]) => `${length} ${result}`).sort();
  process.stdout.write(
    `\n    attack | by | outcome | how | times\n${lines.join('\n')}\n    ${outcomes.length} attacks: ${totals.join(', ')}\n\n`,
  );
}
