import { playerPath } from '../boards/entities/player.ts';
import { oddsText } from '../boards/formats/odds-text.ts';
import { lineText } from '../boards/formats/pick-text.ts';
import { optionalMarket } from '../boards/params.ts';
import {
  type GameView,
  gameBoxScore,
  gameOdds,
  gamePicks,
  gamePrices,
  type MarketAbout,
  type MarketPrice,
  readGame,
  type SideCount,
} from '../boards/picks/game.ts';
import { readFixture } from '../games/names/title.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { bookName } from '../rules/book-words.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { markets } from '../rules/markets/index.ts';
import { firstSide, type PricePoint, priceHistory, pricePoints } from './charts/price-history.ts';
import { counted } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { aboutLabel, labelOf, marketLabel } from './labels.ts';
import { page } from './page.ts';
import { teamLinks } from './parts/entity-links.ts';
import { nextPage, pathWith } from './parts/filters.ts';
import { groupList } from './parts/group-list.ts';
import { listed, table } from './parts/lists.ts';
import { pickList } from './parts/pick-list.ts';
import { pageHead, section } from './parts/section.ts';
import { countdown, fullWhen, hasStarted, startDate, unknownStart } from './times.ts';

const pageLength = 10;
const shownMarkets = 12;

export const gamePage = page({
  path: '/game/:id',
  params: Type.Object({
    id: Type.String({
      pattern: '^[1-9]\\d{0,14}$',
      must: 'the number of a game',
      description: 'The number of a game.',
    }),
    market: optionalMarket,
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        must: 'a subject of 1 to 80 characters',
        description: 'The player, team, or question that the market is about.',
      }),
    ),
    side: Type.Optional({
      ...optionalMarket,
      must: 'a side, such as `home`',
      description: 'A side, such as `home`.',
    }),
    from: Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of picks to skip.' }),
  }),
  tags: () => everyEvent,
  examples: [{ id: '1' }, { id: '1', market: 'spread', side: 'home', from: '40' }],
  async data(context, { id, market, subject, side, from }) {
    const game = await readGame(context, Number(id));
    const [picks, odds, boxScore] = await Promise.all([
      gamePicks(context, game.id, { market, subject, side }, pageLength + 1, from),
      gameOdds(context.database, game.id),
      gameBoxScore(context.database, game.id),
    ]);
    const rows = marketRows(game.sides, odds);
    const drawn =
      rows.find((row) => row.market === market && (subject === undefined || row.subject === subject)) ??
      rows.find(({ books }) => books.some(hasMoved));
    const prices = drawn === undefined ? [] : await gamePrices(context.database, game.id, drawn);
    return { game, picks, rows, prices, drawn, boxScore };
  },
  render({ game, picks, rows, prices, drawn, boxScore }, { now, params, sports, site }) {
    const { market, subject, side, from } = params;
    const path = `/game/${game.id}`;
    const [teams, sport] = [game.game, sports.get(game.sport)?.label ?? game.sport.toUpperCase()];
    const total = game.sides.reduce((sum, { count }) => sum + count, 0);
    const filters = { market, subject, side };
    const links = teamLinks(game);
    const body = html`${pageHead({
      eyebrow: html`<a href="/sport/${game.sport}">${sport}</a>`,
      title: links || html`<bdi>${teams}</bdi>`,
      lead: html`${game.startsAt !== null ? fullWhen(game.startsAt) : game.day === null ? 'Start time not announced' : unknownStart(game)} · ${stateOf(game, now)}`,
    })}${game.score !== null && section({ heading: 'Score', id: 'score', body: scoreboard(game) })}${section({
      heading: 'Markets',
      id: 'prices',
      note: 'Each book’s main line and odds, first seen and last, with the picks on each side.',
      body: html`${listed(rows, 'No odds are recorded for this game.', (some) => marketTable(some, game, now), [shownMarkets, 'market'])}${
        drawn !== undefined && chart(drawn, prices, side)
      }`,
    })}${
      boxScore.length > 0 &&
      section({
        heading: 'Box score',
        id: 'box',
        note: 'The figures that graded the picks on players.',
        body: listed(
          boxScore,
          '',
          (some) =>
            table(
              ['Player', 'Statistic', 'Figure'],
              some.map(({ subject, market: of, figure }) => [
                html`<a href="${playerPath({ sport: game.sport, name: subject ?? '' })}"><bdi>${subject}</bdi></a>`,
                marketLabel(of),
                figure,
              ]),
              { kind: 'plain' },
            ),
          [shownMarkets, 'figure'],
        ),
      })
    }${
      game.groups.length > 0 &&
      section({
        heading: 'Sharp consensus',
        id: 'consensus',
        note: 'Sides that two or more elite or verified sharp cappers agree on.',
        body: groupList(game.groups, now),
      })
    }${section({
      heading:
        market === undefined ? 'Picks' : html`Picks: ${aboutLabel({ market, subject: subject ?? null })}`,
      id: 'picks',
      note:
        market === undefined
          ? `${counted(total, 'pick')}, newest first.`
          : html`Newest first. <a href="${path}#picks">All ${counted(total, 'pick')}</a>`,
      data: [{ path: pathWith('/api/picks/by-game', { sport: game.sport, game: game.game }) }],
      body: html`${listed(picks.slice(0, pageLength), 'No picks on this game yet.', (some) => pickList(some, now, { game: false }))}${nextPage(
        {
          first: from === 0 ? undefined : `${pathWith(path, filters)}#picks`,
          next:
            picks.length > pageLength
              ? `${pathWith(path, { ...filters, from: String(from + pageLength) })}#picks`
              : undefined,
          label: 'Earlier picks',
        },
      )}`,
    })}`;
    return {
      title: teams,
      about: `${teams}: odds, ${counted(total, 'pick')} by side, and the result.`,
      path,
      under: '/',
      head: jsonLd({
        '@context': 'https://schema.org',
        '@type': 'SportsEvent',
        name: teams,
        url: `${site.baseUrl}${path}`,
        ...startDate(game),
      }),
      body,
    };
  },
});

function stateOf({ status, startsAt }: GameView, now: number): Html | string {
  if (status !== 'scheduled' || startsAt === null) return labelOf('gameStatus', status);
  return hasStarted(startsAt, now) ? 'In play' : countdown(startsAt, now);
}

function scoreboard({ score, halfScore, game, sport }: GameView): Html {
  const fixture = readFixture(game, sport);
  return table(
    ['Side', ...(halfScore === null ? [] : ['First half']), 'Final'],
    (['away', 'home'] as const).map((side) => [
      html`<bdi>${fixture?.[side] ?? labelOf('side', side)}</bdi>`,
      ...(halfScore === null ? [] : [halfScore[side]]),
      html`<b>${score?.[side]}</b>`,
    ]),
    { kind: 'plain' },
  );
}

type BookMove = [first: PricePoint, last: PricePoint];

interface MarketRow extends MarketAbout {
  /** Undefined without prices. */
  side: string | undefined;
  books: BookMove[];
  sides: SideCount[];
}

/** Joins the prices and the picks of each market: first those with picks, and those of the game before those of players. */
function marketRows(sides: readonly SideCount[], prices: readonly MarketPrice[]): MarketRow[] {
  const keyOf = ({ market, subject }: MarketAbout) => JSON.stringify([market, subject]);
  const [priced, picked] = [Map.groupBy(prices, keyOf), Map.groupBy(sides, keyOf)];
  const place = ({ market, subject, sides: own }: MarketRow) => {
    const declared = markets.findIndex(({ name }) => name === market);
    return (own.length > 0 ? 0 : 2000) + (subject === null ? 0 : 1000) + (declared === -1 ? 100 : declared);
  };
  return [...new Set([...priced.keys(), ...picked.keys()])]
    .map((key): MarketRow => {
      const own = priced.get(key) ?? [];
      const { market, subject } = own[0] ?? picked.get(key)![0]!;
      const side = own.length === 0 ? undefined : firstSide(market, own);
      const points = side === undefined ? [] : pricePoints(market, side, own);
      const books = [...Map.groupBy(points, ({ book }) => book).values()].map(
        (of): BookMove => [of[0]!, of.at(-1)!],
      );
      return { market, subject, side, books, sides: picked.get(key) ?? [] };
    })
    .sort((a, b) => place(a) - place(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

const hasMoved = ([first, last]: BookMove) =>
  first.lineE3 !== last.lineE3 || first.oddsAmerican !== last.oddsAmerican;

function marketTable(rows: readonly MarketRow[], game: GameView, now: number): Html {
  const path = `/game/${game.id}`;
  const latest = game.status !== 'scheduled' || hasStarted(game.startsAt, now) ? 'Close' : 'Now';
  const each = (books: readonly BookMove[], of: (move: BookMove) => Html | string) =>
    books.length === 0
      ? html`<span class="quiet">–</span>`
      : html`${books.map((move, at) => html`${at > 0 && html`<br>`}${of(move)}`)}`;
  return html`<table class="standings three"><thead><tr><th scope="col">Market</th><th scope="col">Book</th><th scope="col">First</th><th scope="col">${latest}</th><th scope="col">Picks</th></tr></thead>
<tbody>${rows.map(({ market, subject, side, books, sides }) => {
    const priceOf = ({ lineE3, oddsAmerican }: PricePoint) =>
      `${lineE3 === null ? '' : `${lineText(lineFromE3(lineE3) ?? 0, market)} `}${oddsText(oddsAmerican)}`;
    return html`<tr><th scope="row"><a href="${pathWith(path, { market, subject })}#prices">${aboutLabel({ market, subject })}</a>${side !== undefined && html` <small>${labelOf('side', side).toLowerCase()}</small>`}</th><td data-label="Book">${each(books, ([{ book }]) => html`<bdi>${bookName(book)}</bdi>`)}</td><td data-label="First">${each(books, ([first]) => priceOf(first))}</td><td data-label="${latest}">${each(books, ([, last]) => priceOf(last))}</td><td>${sides.map(
      (of, at) =>
        html`${at > 0 && ' · '}<a href="${pathWith(path, { market, subject, side: of.side })}#picks">${counted(of.count, 'pick')} on ${labelOf('side', of.side).toLowerCase()}</a>`,
    )}</td></tr>
`;
  })}</tbody></table>`;
}

/** Draws the prices of a side if they moved. @param wanted the side to draw, if it is priced */
function chart(
  { market, subject, side: usual }: MarketRow,
  prices: Parameters<typeof pricePoints>[2],
  wanted: string | undefined,
): Html | false {
  const side = prices.some((row) => row.side === wanted) ? wanted : usual;
  const points = side === undefined ? [] : pricePoints(market, side, prices);
  return (
    side !== undefined &&
    points.some((point) => hasMoved([points[0]!, point])) &&
    html`<h3 id="chart">${aboutLabel({ market, subject })}, ${labelOf('side', side).toLowerCase()}</h3>${priceHistory(market, points)}`
  );
}
