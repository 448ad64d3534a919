import { expect } from 'chai';
import { currentStreak } from '../../../src/boards/cappers/streaks.ts';
import { oneOf, randomOf, whole } from '../../../src/demo/random.ts';
import { withDatabase } from '../../support/database.ts';

describe('the current streak of a capper', () => {
  const stores = withDatabase();
  const epoch = Date.parse('2025-01-01T00:00:00Z');
  let lastId = 0;

  interface Pick {
    uuid: string;
    result: string | null;
    postedAt: number;
    settledAt: number;
  }

  /** Stores a capper and their picks. @returns the capper's id */
  async function store(picks: readonly Pick[]): Promise<number> {
    const [{ id }] = await stores
      .database('cappers')
      .insert({ handle: `capper-${++lastId}`, tier: 'listed', verified: true, created_at: new Date(epoch) })
      .returning('id');
    const rows = picks.map(({ uuid, result, postedAt, settledAt }) => ({
      pick_id: ++lastId,
      uuid,
      capper_id: id,
      tier: 'listed',
      sport: 'nfl',
      game_id: 1,
      market: 'moneyline',
      side: 'home',
      pick: 'Home',
      odds_american: 100,
      stake_e4: 10_000,
      source: 'test',
      provenance: 'live',
      posted_at: new Date(postedAt),
      result,
      ...(result !== null && { settled_at: new Date(settledAt), net_units_e4: 0 }),
    }));
    if (rows.length > 0) await stores.database('board_picks').insert(rows);
    return id;
  }

  const letters: Record<string, string | null> = { W: 'win', L: 'loss', P: 'push', V: 'void', '-': null };
  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const at = (instant: number) => new Date(instant).toISOString();

  for (const [given, kind, length, first, last] of [
    ['', null, 0, null, null],
    ['W', 'W', 1, 1, 1],
    ['LWWW', 'W', 3, 2, 4],
    ['LWWPWWWWWWWWWWWWWWWWW', 'W', 19, 2, 21],
    ['WWWL', 'L', 1, 4, 4],
    ['WLPV', 'L', 1, 2, 2],
    ['WPWVW', 'W', 3, 1, 5],
    ['PV', null, 0, null, null],
    ['WWPLPL-', 'L', 2, 4, 6],
  ] as const)
    it(`is ${kind ?? 'none'} ${length} after ${given || 'no picks'}`, async () => {
      const id = await store(
        [...given].map((letter, index) => ({
          uuid: uuidOf(1000 * lastId + index),
          result: letters[letter]!,
          postedAt: epoch + index,
          settledAt: epoch + 1 + index,
        })),
      );
      expect(await currentStreak({ database: stores.database }, id)).to.deep.equal({
        kind,
        length,
        since: first === null ? null : at(epoch + first),
        lastSettledAt: last === null ? null : at(epoch + last),
      });
    });

  it('orders picks by settling, then by posting, then by UUID', async () => {
    const random = randomOf('streaks');
    for (let capper = 0; capper < 40; capper += 1) {
      // Few instants, so that many picks settle at the same one.
      const picks = Array.from({ length: whole(random, 1, 25) }, (_, index) => ({
        uuid: uuidOf(1_000_000 * (1 + whole(random, 0, 999_999)) + 100 * capper + index),
        result: oneOf(random, ['win', 'loss', 'win', 'loss', 'push', 'void']),
        postedAt: epoch + whole(random, 0, 2),
        settledAt: epoch + whole(random, 10, 14),
      }));
      const id = await store(picks);
      const decided = picks
        .filter(({ result }) => result === 'win' || result === 'loss')
        .sort((a, b) => b.settledAt - a.settledAt || b.postedAt - a.postedAt || (a.uuid < b.uuid ? 1 : -1));
      const end = decided.findIndex(({ result }) => result !== decided[0]!.result);
      const run = decided.slice(0, end < 0 ? undefined : end);
      expect(await currentStreak({ database: stores.database }, id), JSON.stringify(picks)).to.deep.equal({
        kind: run.length === 0 ? null : run[0]!.result === 'win' ? 'W' : 'L',
        length: run.length,
        since: run.length === 0 ? null : at(run.at(-1)!.settledAt),
        lastSettledAt: run.length === 0 ? null : at(run[0]!.settledAt),
      });
    }
  });
});
