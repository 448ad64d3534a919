import { daysUpTo, etDay, iso } from './days.ts';
import { decimalOdds, type Fraction } from './fraction.ts';
import { netUnitsE4 } from './grading.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { normal } from './normal.ts';
import { units } from './pick-body.ts';
import { chanceToWin, decided, netE4, weight } from './record.ts';

/** Luck (docs/rules/luck.md), computed plainly: every record is drawn to its end, and every probability is summed over all states. */

const records = 2_000;
const beyond = 50;

const number = ({ n, d }: Fraction): number => Number(n) / Number(d);
const shown = (e4: number): number => units(Math.sign(e4) * Math.round(Math.abs(e4)));
const percent = (share: number): number => Math.round(share * 10_000) / 100;

/** xoshiro128** after https://prng.di.unimi.it/xoshiro128starstar.c, seeded with the four words of a UUID. */
export function drawsOf(uuid: string): number[] {
  const rotated = (x: number, by: number) => (x << by) | (x >>> (32 - by));
  const seed = (index: number) => {
    let h = Number(`0x${uuid.replaceAll('-', '').slice(index * 8, index * 8 + 8)}`) + index + 1;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  };
  const s: [number, number, number, number] = [seed(0), seed(1), seed(2), seed(3)];
  const next = () => {
    const result = Math.imul(rotated(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 11);
    return result;
  };
  return Array.from({ length: 32 + records }, next).slice(32);
}

const drawn = new Map<string, Uint32Array>();

/** Memoizes {@link drawsOf}: the same draws decide a pick in every figure. */
function keptDrawsOf(uuid: string): Uint32Array {
  const known = drawn.get(uuid) ?? Uint32Array.from(drawsOf(uuid));
  drawn.set(uuid, known);
  return known;
}

/** Returns the running sums of each simulated record, after 0, 1, 2, ... picks. */
function paths(picks: LedgerPick[]): Float64Array[] {
  const all = Array.from({ length: records }, () => new Float64Array(picks.length + 1));
  picks.forEach((pick, index) => {
    const draws = keptDrawsOf(pick.uuid);
    const wins = Math.round(chanceToWin(pick) * 2 ** 32);
    const [won, lost] = (['win', 'loss'] as const).map((result) =>
      netUnitsE4(result, pick.countedE4, pick.counted),
    );
    all.forEach((path, record) => {
      path[index + 1] = path[index]! + (draws[record]! < wins ? won! : lost!);
    });
  });
  return all;
}

const sorted = (values: number[]): Float64Array => Float64Array.from(values).sort();
function middle(values: number[]) {
  const inOrder = sorted(values);
  return { low: shown(inOrder[beyond]!), high: shown(inOrder.at(-1 - beyond)!) };
}

function deepest(path: Iterable<number>) {
  let [peak, peakAt, fall, from, to, index] = [0, 0, 0, -1, -1, 0];
  for (const sum of path) {
    if (sum >= peak) {
      peak = sum;
      peakAt = index;
    } else if (peak - sum > fall) {
      fall = peak - sum;
      from = peakAt;
      to = index - 1;
    }
    index += 1;
  }
  return { fall, from, to };
}

/** Returns mean 0, variance, and third moment of the sums of each pick's two outcomes. */
function moments(picks: LedgerPick[]) {
  let [variance, third] = [0, 0];
  for (const pick of picks) {
    const p = chanceToWin(pick);
    const [win, loss] = [pick.countedE4 * (1 / p - 1), -pick.countedE4];
    variance += p * win ** 2 + (1 - p) * loss ** 2;
    third += p * win ** 3 + (1 - p) * loss ** 3;
  }
  return { deviation: Math.sqrt(variance), skewness: variance === 0 ? 0 : third / variance ** 1.5 };
}

function normalBand(picks: LedgerPick[]) {
  const { deviation, skewness } = moments(picks);
  const at = (z: number) => shown(deviation * (z + ((z * z - 1) * skewness) / 6));
  return { low: at(-1.96), high: at(1.96) };
}

/** Returns how often a Brownian motion stays within x of 0, by its mirror images. */
function within(x: number): number {
  let share = 0;
  for (let k = -20; k <= 20; k += 1)
    share += (k % 2 === 0 ? 1 : -1) * (normal((2 * k + 1) * x) - normal((2 * k - 1) * x));
  return share;
}

/** Returns how often the longest losing run has each length. The states are the current run and whether it has become too long. */
export function runsAtLeast(picks: LedgerPick[], length: number): number {
  let now = [1, ...Array<number>(length - 1).fill(0)];
  let reached = 0;
  for (const pick of picks) {
    const p = chanceToWin(pick);
    reached += now[length - 1]! * (1 - p);
    now = now.map((_, run) => (run === 0 ? now.reduce((a, b) => a + b, 0) * p : now[run - 1]! * (1 - p)));
  }
  return reached;
}

function losingRun(picks: LedgerPick[]) {
  let best: LedgerPick[] = [];
  let run: LedgerPick[] = [];
  for (const pick of picks) {
    run = pick.result === 'loss' ? [...run, pick] : [];
    if (run.length > best.length) best = run;
  }
  const notLonger = (share: number) => {
    let length = 0;
    while (length < picks.length && runsAtLeast(picks, length + 1) > 1 - share) length += 1;
    return length;
  };
  return {
    length: best.length,
    from: best.length === 0 ? null : iso(best[0]!.settledAt!),
    to: best.length === 0 ? null : iso(best.at(-1)!.settledAt!),
    asLongPct: best.length === 0 ? 100 : percent(runsAtLeast(picks, best.length)),
    median: notLonger(0.5),
    high: notLonger(0.95),
  };
}

/** Bands of American odds, both ends included. */
export const priceBands: [from: number | null, to: number | null][] = [
  [null, -301],
  [-300, -201],
  [-200, -151],
  [-150, -121],
  [-120, -101],
  [-100, 120],
  [121, 150],
  [151, 200],
  [201, 300],
  [301, null],
];

function calibration(picks: LedgerPick[]) {
  const decimalAt = (american: number | null, open: number) =>
    american === null ? open : number(decimalOdds(american));
  return priceBands.flatMap(([fromOdds, toOdds]) => {
    const of = picks.filter((pick) => {
      const price = number(decimalOdds(pick.counted));
      return price >= decimalAt(fromOdds, 0) && price <= decimalAt(toOdds, Infinity);
    });
    if (of.length === 0) return [];
    const wins = of.filter((pick) => pick.result === 'win').length;
    const weights = of.reduce((total, pick) => total + weight(pick), 0);
    const expected = of.reduce((total, pick) => total + weight(pick) * chanceToWin(pick), 0);
    return {
      fromOdds,
      toOdds,
      wins,
      losses: of.length - wins,
      weightedWins: of.reduce((total, pick) => total + (pick.result === 'win' ? weight(pick) : 0), 0),
      expectedWins: Math.round(expected * 10) / 10,
      breakEvenPct: percent(expected / weights),
    };
  });
}

export function luckOf(state: LedgerState, all: LedgerPick[], howMany: number) {
  const picks = decided(all).sort(
    (a, b) => a.settledAt! - b.settledAt! || a.postedAt - b.postedAt || byText(a.uuid, b.uuid),
  );
  const days = daysUpTo(state.today, howMany);
  const window = picks.filter((pick) => etDay(pick.settledAt!) >= days[0]!);
  const upTo = (day: string) => window.filter((pick) => etDay(pick.settledAt!) <= day).length;
  const windowPaths = window.length <= 1_000 ? paths(window) : [];
  const simulated = picks.length <= 1_000;
  const whole = simulated ? paths(picks) : [];
  const ends = whole.map((path) => path[picks.length]!);
  const falls = whole.map((path) => deepest(path).fall);
  const net = netE4(picks);
  const sums = [0];
  for (const pick of picks) sums.push(sums.at(-1)! + pick.netUnitsE4!);
  const actual = deepest(sums);
  const { deviation, skewness } = moments(picks);
  const share = (values: number[], limit: number) =>
    values.filter((value) => value >= limit).length / records;
  const density = (x: number) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  const at = net / deviation;
  return {
    decided: picks.length,
    method: simulated ? 'simulated' : 'normal',
    units: {
      net: units(net),
      ...(simulated ? middle(ends) : normalBand(picks)),
      asHighPct: percent(
        simulated
          ? share(ends, net - picks.length)
          : 1 - normal(at) + (skewness * (at * at - 1) * density(at)) / 6,
      ),
    },
    losingRun: losingRun(picks),
    drawdown: {
      units: units(actual.fall),
      from: actual.from < 0 ? null : iso(picks[actual.from]!.settledAt!),
      to: actual.to < 0 ? null : iso(picks[actual.to]!.settledAt!),
      asDeepPct: percent(
        simulated ? share(falls, actual.fall - picks.length) : 1 - within(actual.fall / deviation),
      ),
      median: shown(simulated ? sorted(falls)[records / 2 - 1]! : deviation * 1.148973),
      high: shown(simulated ? sorted(falls)[1_899]! : deviation * 2.241403),
    },
    calibration: calibration(picks),
    days: days.map((day) => {
      const count = upTo(day);
      return {
        day,
        ...(window.length <= 1_000
          ? middle(windowPaths.map((path) => path[count]!))
          : normalBand(window.slice(0, count))),
      };
    }),
  };
}
