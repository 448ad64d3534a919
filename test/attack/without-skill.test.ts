import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { applyResults, type ResultRow } from '../../src/intake/result.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { postPicks } from '../../src/ledger/posting/post-picks.ts';
import { iso } from '../../src/platform/clock.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { wholeRecord } from '../support/record-csv.ts';
import { withRedis } from '../support/redis.ts';
import { runPipeline } from '../support/whole-way.ts';
import { type Bettor, honest, tricks } from './bettors.ts';
import {
  captures,
  decimal,
  type FairGame,
  fairSeason,
  lineOf,
  nameIn,
  type Selection,
  seeded,
} from './fair-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const lastStart = Date.parse('2026-01-14T23:00:00Z');
const now = lastStart + 4 * hour;

/** The last days have a Pick of the Day. */
const podDays = 6;

/** Standard errors that chance may give. The test makes some 250 comparisons. */
const chance = 3.5;

/** A handle, with what boards say of it, and its counted picks. */
interface Account {
  handle: string;
  bettor: Bettor;
  picks: Counted[];
  unseen: number;
  refused: number;
}

/** A settled pick in the export, at its counted odds. */
interface Counted {
  game: string;
  uuid: string;
  won: boolean | null;
  weight: number;
  stake: number;
  /** Decimal odds: counted, and as posted. */
  d: number;
  posted: number;
  /** Expected value by the chance that the scores were drawn with. */
  worth: number | null;
  clv: number | null;
  edge: number | null;
}

/** A mean, and its standard error if picks on one game move together. */
interface Mean {
  mean: number;
  error: number;
}

/** A row of a leaderboard. */
interface Standing {
  handle: string;
  rank: number | null;
  verdict: { word: string };
  yieldPct: number | null;
  edgeMeanPct: number | null;
  clvMeanBps: number | null;
  unitsNet: number;
  unitsStaked: number;
}

interface Streak {
  handle: string;
  length: number;
  chancePct: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;
const deviationOf = (numbers: readonly number[]) =>
  Math.sqrt(sum(numbers.map((one) => (one - mean(numbers)) ** 2)) / (numbers.length - 1));

/** Returns by how many standard errors a mean is above that of honest bettors. */
const beyond = (own: Mean, honest: Mean) => (own.mean - honest.mean) / Math.hypot(own.error, honest.error);

function meanOf(picks: readonly Counted[], of: (pick: Counted) => number | null): Mean {
  const known = picks.flatMap((pick) => {
    const value = of(pick);
    return value === null ? [] : { game: pick.game, value };
  });
  const middle = mean(known.map(({ value }) => value));
  const games = [...Map.groupBy(known, ({ game }) => game).values()];
  const squares = games.map((of) => sum(of.map(({ value }) => value - middle)) ** 2);
  return { mean: middle, error: Math.sqrt(sum(squares)) / known.length };
}

/** Returns the standard deviation of a sum of bets without skill, if bets on one game win and lose together. */
function deviation(picks: readonly Counted[], size: (pick: Counted) => number): number {
  const decided = picks.filter(({ won }) => won !== null);
  const games = [...Map.groupBy(decided, ({ game }) => game).values()];
  return Math.sqrt(sum(games.map((of) => sum(of.map((pick) => size(pick) * Math.sqrt(pick.d - 1))) ** 2)));
}

describe('bettors without skill', function () {
  this.timeout(300_000);
  const stores = withDatabase();
  const redis = withRedis();
  const games = fairSeason(55, lastStart);
  const bettors: Bettor[] = [...Object.values(honest), ...tricks];
  /** A sequence for each bettor, so that a new one changes no other. */
  const randoms = new Map(bettors.map((bettor) => [bettor, seeded(bettor.what)]));
  const accounts = new Map<string, Account>();
  let site: RunningApi;

  const handleOf = (bettor: Bettor, by = 0) =>
    `${tricks.includes(bettor) ? 'trick' : 'honest'}-${bettors.indexOf(bettor)}-${by}`;
  const gameOf = (bettor: Bettor, game: FairGame) =>
    bettor.own === undefined ? game.name : nameIn(game, bettor.own.sport, bettors.indexOf(bettor));

  /** The events of an instant, in the order of the fields. */
  interface Happening {
    lines: LineRow[];
    fed: LineRow[];
    games: GameRow[];
    posts: PickRow[];
    results: ResultRow[];
  }
  const timeline = new Map<number, Happening>();
  const at = (instant: number): Happening => {
    const known = timeline.get(instant);
    if (known !== undefined) return known;
    const fresh = { lines: [], fed: [], games: [], posts: [], results: [] };
    timeline.set(instant, fresh);
    return fresh;
  };

  function plan(game: FairGame): void {
    const { start, homeScore, awayScore } = game;
    const over = start + 150 * minute;
    const final = { status: 'final', homeScore, awayScore, finalAt: iso(over) } as const;
    for (const quote of game.quotes) at(quote.at).lines.push(lineOf(game, quote));
    at(start - (captures[0] + 1) * minute).games.push({ ...game.name, status: 'scheduled' });
    at(over).games.push({ ...game.name, ...final });
    for (const bettor of bettors) {
      const name = gameOf(bettor, game);
      const random = randoms.get(bettor)!;
      const bets = bettor.bets(game, random);
      if (bettor.own !== undefined) {
        at(start - (captures[0] + 1) * minute).games.push({ ...name, status: 'scheduled' });
        for (const quote of game.quotes)
          if (bettor.own.priced?.(quote, game)) at(quote.at).lines.push({ ...lineOf(game, quote), ...name });
        const movedTo = bettor.movedBy && iso(start + bettor.movedBy(game) * minute);
        if (movedTo !== undefined)
          at(start - 2 * minute).games.push({ ...name, status: 'scheduled', movedTo });
        if (bettor.isCancelled?.(game, random))
          at(start - 2 * minute).games.push({ ...name, status: 'cancelled' });
        else at(over).games.push({ ...name, ...final, ...(movedTo === undefined ? {} : { movedTo }) });
      }
      for (const quote of bettor.fed?.(game) ?? []) at(over).fed.push({ ...lineOf(game, quote), ...name });
      for (const { before, row, by } of bets) {
        const capperHandle = handleOf(bettor, by);
        at(start - before * minute).posts.push({
          stakeUnits: 1,
          ...row,
          capperHandle,
          ...name,
          pick: 'A bet',
        });
        const { market, subject, side } = row;
        if (bettor.result !== undefined)
          at(over).results.push({
            ...name,
            market,
            subject,
            side,
            result: bettor.result,
            finalAt: iso(over),
          } as ResultRow);
      }
    }
  }

  before(async () => {
    const { database } = stores;
    for (const bettor of bettors)
      for (let by = 0; by < (bettor.handles ?? 1); by += 1) {
        const handle = handleOf(bettor, by);
        accounts.set(handle, { handle, bettor, picks: [], unseen: 0, refused: 0 });
      }
    games.forEach(plan);
    for (const start of new Set(games.map((game) => game.start))) {
      if (start > lastStart - podDays * day) at(start - 90 * minute);
      at(start + 200 * minute);
    }
    const intake = (instant: number) => ({ now: instant, imported: false });
    const first = Math.min(...timeline.keys());
    await applyCappers(
      database,
      [...accounts.keys()].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      intake(first - hour),
    );
    for (const [instant, happening] of [...timeline].sort(([a], [b]) => a - b)) {
      const { lines, fed, games: rows, posts, results } = happening;
      if (rows.length > 0) {
        const { outcomes } = await database.transaction((transaction) =>
          applyGames(transaction, rows, intake(instant)),
        );
        for (const { outcome } of outcomes) expect(outcome).to.be.oneOf(['added', 'updated']);
      }
      if (lines.length > 0) await applyLines(database, lines, intake(instant), 'provider');
      if (fed.length > 0) await applyLines(database, fed, intake(instant));
      if (results.length > 0) await applyResults(database, results, intake(instant));
      if (posts.length > 0) {
        const posted = await postPicks(
          database,
          posts.map((row) => ({ row })),
          instant,
        );
        for (const [place, { outcome }] of posted.entries())
          if (outcome === 'refused') accounts.get(posts[place]!.capperHandle)!.refused += 1;
      }
      if (rows.length + lines.length + fed.length + results.length + posts.length > 0) continue;
      await runPipeline(database, instant);
      if (instant > lastStart - podDays * day) await choosePickOfTheDay(database, instant);
    }
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
    const known = new Map(
      games.flatMap((game) =>
        bettors.map(
          (bettor) =>
            [JSON.stringify([gameOf(bettor, game).sport, gameOf(bettor, game).game]), game] as const,
        ),
      ),
    );
    for (const row of await wholeRecord(site.address, 5000)) {
      const account = accounts.get(row.capper!)!;
      if (row.price_verdict === 'unseen') account.unseen += 1;
      if (row.price_verdict === 'unseen' || row.result === 'void') continue;
      const game = known.get(JSON.stringify([row.sport, row.game]))!;
      const selection = {
        market: row.market,
        side: row.side,
        line: row.line === '' ? null : Number(row.line),
      } as Selection;
      const d = decimal(Number(row.counted_odds));
      const number = (cell = '') => (cell === '' ? null : Number(cell));
      account.picks.push({
        game: row.game!,
        uuid: row.uuid!,
        stake: Number(row.stake_units),
        d,
        posted: decimal(Number(row.odds_american)),
        won: row.result === 'push' ? null : row.result === 'win',
        weight: row.half === 'true' ? 0.5 : 1,
        worth: ['moneyline', 'spread', 'total'].includes(selection.market)
          ? game.chance(selection, 0) * d - 1
          : null,
        clv: number(row.counted_clv_bps),
        edge: number(row.edge_bps),
      });
    }
  });
  after(() => site?.close());

  const get = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${site.address}${path}`)).json()) as Body;
  const standings = async (path: string) => {
    const { cappers } = await get<{ cappers: Standing[] }>(
      `${path}${path.includes('?') ? '&' : '?'}limit=200`,
    );
    return new Map(cappers.map((row) => [row.handle, row]));
  };
  const handlesOf = (bettor: Bettor) => [...accounts.values()].filter((account) => account.bettor === bettor);

  it('are not ahead of an honest one by more than chance, on any board', async () => {
    const byYield = await standings('/api/leaderboard');
    const byUnits = await standings('/api/leaderboard/units?min_n=1');
    const byClv = await standings('/api/leaderboard/clv?min_n=1');
    const { streaks } = await get<{ streaks: Streak[] }>('/api/cappers/streaks?min=1&limit=100');
    const indexes = new Map<string, number>();
    for (const { handle, picks } of accounts.values()) {
      const last = picks.slice(-4).map(({ uuid }) => get<{ index: number }>(`/api/picks/${uuid}/confidence`));
      indexes.set(handle, mean((await Promise.all(last)).map(({ index }) => index)));
    }
    const bases = new Map(
      Object.entries(honest).map(([name, bettor]) => {
        const own = handlesOf(bettor);
        const pooled = own.flatMap(({ picks }) => picks);
        const [worth, clv, edge] = (['worth', 'clv', 'edge'] as const).map((of) =>
          meanOf(pooled, (pick) => pick[of]),
        );
        return [name, { worth: worth!, clv: clv!, edge: edge! }];
      }),
    );
    const usual = [...handlesOf(honest.best), ...handlesOf(honest.named)].map(
      ({ handle }) => indexes.get(handle)!,
    );
    const table: string[] = [];
    const ahead: string[] = [];
    for (const { handle, bettor, picks, unseen, refused } of accounts.values()) {
      const base = bases.get(bettor.like ?? 'best')!;
      const size = sum(picks.map(({ won, weight }) => (won === null ? 0 : weight)));
      const [row, inUnits, inClv] = [byYield, byUnits, byClv].map((board) => board.get(handle));
      const figures: Record<string, number> = {};
      if (row !== undefined && inUnits !== undefined && size > 0) {
        const byStake = deviation(picks, ({ weight, stake }) => weight * stake);
        figures.yield = beyond(
          { mean: row.yieldPct! / 100, error: deviation(picks, ({ weight }) => weight) / size },
          base.worth,
        );
        figures.units = (inUnits.unitsNet - base.worth.mean * inUnits.unitsStaked) / byStake;
        figures.worth = beyond(
          meanOf(picks, ({ worth }) => worth),
          base.worth,
        );
        if (row.edgeMeanPct !== null)
          figures.edge = beyond(
            { ...meanOf(picks, ({ edge }) => edge), mean: 100 * row.edgeMeanPct },
            base.edge,
          );
        if (inClv?.clvMeanBps != null)
          figures.clv = beyond({ ...meanOf(picks, ({ clv }) => clv), mean: inClv.clvMeanBps }, base.clv);
        // The returns of a month weigh 12.5 points in the index: long odds move it by luck.
        const byLuck = 12.5 * Math.sqrt(mean(picks.map(({ d }) => d - 1)) / Math.min(300, picks.length));
        figures.index = (indexes.get(handle)! - mean(usual)) / Math.hypot(deviationOf(usual), byLuck);
      }
      // A capper without a rank is last, and never Pick of the Day.
      const isRanked = [row, inUnits, inClv].some((one) => one !== undefined && one.rank !== null);
      const streak = streaks.find((one) => one.handle === handle);
      const word = row?.verdict.word ?? 'none';
      const texts = Object.entries(figures).map(([name, errors]) => `${name} ${errors.toFixed(1)}`);
      const cells = [
        handle,
        bettor.what,
        picks.length,
        unseen,
        refused,
        texts.join(', '),
        streak?.length ?? 0,
      ];
      table.push([...cells, streak?.chancePct ?? '', word, row?.rank ?? 'no rank'].join(' | '));
      const found = Object.entries(figures).flatMap(([name, errors]) =>
        isRanked && !(errors <= chance) ? `${name} by ${errors.toFixed(1)} standard errors` : [],
      );
      if (word === 'proven' || word === 'promising') found.push(word);
      if (isRanked && streak !== undefined && streak.chancePct < 0.02) found.push('a streak beyond luck');
      if (found.length > 0 && tricks.includes(bettor)) ahead.push(`${bettor.what}: ${found.join(', ')}`);
    }
    process.stdout.write(
      `\n    handle | bettor | counted | unseen | refused | ahead by standard errors | streak | chance of it | verdict | rank\n    ${table.join('\n    ')}\n\n`,
    );
    expect(ahead).to.deep.equal([]);
  });

  it('lead no Pick of the Day by voids on demand', async () => {
    const { days } = await get<{ days: { pick: { capperHandle: string } }[] }>('/api/pod/archive?limit=200');
    const chosen = days.map(({ pick }) => accounts.get(pick.capperHandle)!.bettor.what);
    process.stdout.write(`\n    Picks of the Day: ${chosen.join('; ')}\n\n`);
    expect(chosen).to.have.length(podDays);
    expect(chosen.filter((what) => /on demand|nobody prices|without a provider/.test(what))).to.deep.equal(
      [],
    );
  });

  it('leave honest ones all of their picks, at listed prices', () => {
    for (const bettor of Object.values(honest))
      for (const { handle, picks, unseen, refused } of handlesOf(bettor)) {
        expect({ unseen, refused, counted: picks.length }, handle).to.deep.equal({
          unseen: 0,
          refused: 0,
          counted: games.length,
        });
        const cost = mean(picks.map(({ d, posted }) => 1 - d / posted));
        process.stdout.write(
          `    ${handle}, who ${bettor.what}: ${(100 * cost).toFixed(2)}% of the odds do not count\n`,
        );
        // One book errs in each game, and the best price is often its price.
        if (bettor === honest.named) expect(cost, handle).to.be.below(0.01);
      }
  });
});
