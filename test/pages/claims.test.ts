import type { Node } from '@takumi-rs/core';
import { expect } from 'chai';
import { type RecordCard, recordCard } from '../../src/cards/record-card.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { postPicks } from '../../src/ledger/posting/post-picks.ts';
import { verdictLabel } from '../../src/pages/parts/verdict.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Verdict } from '../../src/rules/verdict.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay } from '../support/ledgers.ts';
import { withRedis } from '../support/redis.ts';
import { runPipeline } from '../support/whole-way.ts';

/** The outcome of a pick on a game that the home side wins by three points. */
const bets = {
  win: { market: 'moneyline', side: 'home', line: null },
  loss: { market: 'moneyline', side: 'away', line: null },
  push: { market: 'spread', side: 'home', line: -3 },
  halfWin: { market: 'spread', side: 'home', line: -2.75 },
  halfLoss: { market: 'spread', side: 'home', line: -3.25 },
} as const;
type Outcome = keyof typeof bets;

interface Played {
  outcome: Outcome;
  odds: number;
  stake?: number;
  /** The odds that two books offer, if not those of the pick. */
  offered?: number;
}

const times = (count: number, ...cycle: Played[]) =>
  Array.from({ length: count }, (_, at) => cycle[at % cycle.length]!);
const win = (odds: number, stake = 1): Played => ({ outcome: 'win', odds, stake });
const loss = (odds: number, stake = 1): Played => ({ outcome: 'loss', odds, stake });
const of = (outcome: Outcome): Played => ({ outcome, odds: -110 });

/** Records on which two definitions of the same figure would disagree. */
const hard: Record<string, Played[]> = {
  halves: times(60, of('halfWin'), of('halfLoss')),
  'half-losses': times(60, of('halfLoss')),
  'half-wins': times(60, of('halfWin')),
  'halves-and-wholes': times(80, of('halfLoss'), win(-110), of('halfLoss'), loss(-110), win(-110)),
  longshots: [...times(25, loss(2500)), ...times(5, win(2500))],
  'longshots-lost': times(60, loss(2500)),
  'one-in-a-hundred': [...times(99, loss(9900)), win(9900)],
  pushes: times(60, of('push')),
  'pushes-and-a-win': [...times(30, of('push')), win(-110)],
  'huge-win': [...times(59, loss(-110, 0.1)), win(-110, 100)],
  'huge-loss': [...times(59, win(-110, 0.1)), loss(-110, 100)],
  'two-wins': times(2, win(-110)),
  'one-loss': [loss(-110)],
  'small-wins': [...times(8, loss(-1000)), ...times(92, win(-1000))],
  'all-wins': times(60, win(100)),
  'all-losses': times(60, loss(-110)),
  even: times(100, win(100), loss(100)),
  mixed: times(90, win(-150), loss(120), loss(300), win(-300), of('halfLoss'), of('push')),
  'above-the-market': times(60, { ...win(400), offered: 120 }, { ...loss(400), offered: 120 }),
  many: times(200, win(-110), loss(-110), loss(-105), win(105)),
};

const day = 86_400_000;
const begin = Date.parse('2024-01-05T18:00:00Z');
const now = begin + 420 * day;

/** Returns a name in letters, because only letters distinguish teams. */
const lettered = (place: number) => `Gulls ${String.fromCharCode(97 + place)}`;

describe('what pages, cards, and boards claim about one record', () => {
  for (const [name, ledger] of [
    ['of twenty hard ones', undefined],
    ['of the demo', busyDay],
  ] as const)
    describe(name, () => {
      const stores = withDatabase(ledger === undefined ? {} : { filling: ledger });
      const redis = withRedis();
      const clock = fixedClock(ledger?.now ?? now);
      let site: RunningApi;
      let handles: string[];

      before(async function () {
        this.timeout(240_000);
        if (ledger === undefined) await play(stores.database);
        site = await startApi({ database: stores, redis }, { clock });
        handles = await stores.database('cappers').orderBy('handle').pluck('handle');
      });
      after(() => site?.close());

      const text = async (path: string) => {
        const response = await fetch(site.address + path, { headers: { Accept: 'text/html' } });
        expect(response.status, path).to.equal(200);
        return response.text();
      };
      // biome-ignore lint/suspicious/noExplicitAny: answers of many boards.
      const json = async (path: string): Promise<any> => {
        const response = await fetch(site.address + path);
        expect(response.status, path).to.equal(200);
        return response.json();
      };

      it('is one verdict with one sentence everywhere', async () => {
        const [listed, leaders] = [
          await json('/api/cappers?limit=200'),
          await json('/api/leaderboard?limit=100'),
        ];
        for (const handle of handles) {
          const { verdict, lifetime, tier, verified } = await json(`/api/cappers/${handle}/stats`);
          expect(`${verdict.sentence} ${verdict.missing}`, handle).not.to.match(
            /\b(?:CLV|closing line|edge|vig|Wilson|interval|standard|deviation|significant|shrunk|expected value)\b/i,
          );
          const row = (rows: { handle: string; verdict: Verdict }[]) =>
            rows.find((each) => each.handle === handle);
          for (const found of [row(listed.cappers), row(leaders.cappers)])
            if (found !== undefined) expect(found.verdict, handle).to.deep.equal(verdict);
          expect(plain(plain(await text(`/c/${handle}/rss.xml`))), handle).to.include(
            `Verdict: ${verdict.word}. ${verdict.sentence}`,
          );
          for (const path of [`/c/${handle}`, `/search?q=${handle}`]) {
            const page = plain(await text(path));
            expect(page, path).to.include(verdict.sentence);
            expect(page, path).to.include(verdictLabel(verdict));
          }
          const card: RecordCard = {
            handle,
            tier,
            verified,
            verdict,
            record: lifetime,
            provenance: 'all',
            logKind: 'live',
            notice: '',
            close: { sample: 0, beatSample: 0, medianBps: null },
            streak: { kind: null, length: 0 },
          };
          expect(wordsOf(recordCard(card)), handle).to.include(verdict.sentence);
        }
      });

      it('shows good and bad only as its verdict does', async () => {
        for (const handle of handles) {
          const { verdict, bySport } = await json(`/api/cappers/${handle}/stats`);
          const { markets } = await json(`/api/cappers/${handle}/markets`);
          const parts: { verdict: Verdict }[] = [...bySport, ...markets];
          const words = [verdict, ...parts.map((each) => each.verdict)].map(({ word }) => word);
          // A single pick has the color of its own result.
          const page = (await text(`/c/${handle}`)).replaceAll(/<p class="slip-result">.*?<\/p>/g, '');
          const shown = page.matchAll(/class="(gain|cost)">(?![\d,]+ (?:sealed late|not counted))/g);
          const tones = new Set([...shown].map(([, tone]) => tone));
          expect([...tones].sort(), handle).to.deep.equal(
            [
              ...(words.includes('losing') ? ['cost'] : []),
              ...(words.some((word) => word === 'proven' || word === 'promising') ? ['gain'] : []),
            ].sort(),
          );
        }
      });

      it('never praises what loses beyond luck, and blames nobody who wins', async () => {
        const { cappers } = await json('/api/leaderboard?limit=100&provenance=live');
        for (const { handle, verdict, yieldLowPct, yieldHighPct, yieldPct, chancePct } of cappers) {
          if (verdict.word === 'proven' || verdict.word === 'promising')
            expect(yieldHighPct, handle).to.be.at.least(0);
          if (verdict.word === 'losing') expect(yieldPct, handle).to.be.at.most(0);
          if (yieldLowPct > 0) expect(chancePct, handle).to.be.below(10);
          if (yieldHighPct < 0) expect(chancePct, handle).to.be.above(50);
        }
      });

      it('gives the luck report and the boards the same chance at equal stakes', async () => {
        const { cappers } = await json('/api/leaderboard?limit=100&provenance=live');
        const compared: string[] = [];
        for (const { handle, chancePct, unitsNet } of cappers) {
          const stakes = await stores
            .database('board_picks as b')
            .join('cappers as c', 'c.id', 'b.capper_id')
            .where({ 'c.handle': handle, provenance: 'live' })
            .distinct('stake_e4');
          if (stakes.length > 1 || chancePct === null) continue;
          const { units } = await json(`/api/cappers/${handle}/luck?provenance=live`);
          expect(units.net, handle).to.equal(unitsNet);
          // 2,000 drawn records are a point off, rarely more.
          expect(units.asHighPct, handle).to.be.closeTo(chancePct, 6);
          compared.push(handle);
        }
        if (ledger === undefined) expect(compared.length).to.be.at.least(15);
      });
    });
});

async function play(database: Parameters<typeof postPicks>[0]): Promise<void> {
  const cappers = Object.keys(hard);
  await applyCappers(
    database,
    cappers.map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
    { now: begin - day, imported: false },
  );
  const longest = Math.max(...Object.values(hard).map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    const start = begin + at * day;
    const games: GameRow[] = [];
    const lines: LineRow[] = [];
    const picks: { row: PickRow }[] = [];
    for (const [place, handle] of cappers.entries()) {
      const played = hard[handle]![at];
      if (played === undefined) continue;
      const { outcome, odds, stake = 1, offered = odds } = played;
      const game = { sport: 'nfl', game: `${lettered(place)} @ Foxes`, startsAt: iso(start) };
      games.push({ ...game, status: 'scheduled' });
      const bet = { ...game, ...bets[outcome] };
      const price = { ...bet, oddsAmerican: offered, capturedAt: iso(start - 3_700_000) };
      lines.push({ ...price, book: 'north' }, { ...price, book: 'south' });
      picks.push({
        row: { ...bet, capperHandle: handle, pick: wordsOn(bet), oddsAmerican: odds, stakeUnits: stake },
      });
    }
    const posted = { now: start - 3_600_000, imported: false };
    await applyGames(database, games, posted);
    await applyLines(database, lines, posted, 'provider');
    for (const { outcome } of await postPicks(database, picks, posted.now)) expect(outcome).to.equal('added');
    const final = {
      status: 'final',
      homeScore: 24,
      awayScore: 21,
      finalAt: iso(start + 10_800_000),
    } as const;
    await applyGames(
      database,
      games.map((game) => ({ ...game, ...final })),
      { now: start + 10_800_000, imported: false },
    );
  }
  await runPipeline(database, now);
}

function wordsOn({ market, side, line, game }: Pick<LineRow, 'market' | 'side' | 'line' | 'game'>): string {
  const [away = '', home = ''] = game.split(' @ ');
  const team = side === 'home' ? home : away;
  return market === 'moneyline' ? `${team} to win` : `${team} ${line}`;
}

/** Returns the text of a page. */
function plain(page: string): string {
  return page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function wordsOf(card: Node): string {
  const walk = (node: Node): string =>
    'text' in node ? String(node.text) : 'children' in node ? (node.children ?? []).map(walk).join(' ') : '';
  return walk(card);
}
