import { optionalMarket } from '../boards/params.ts';
import type { GameView, MarketAbout } from '../boards/picks/game.ts';
import { gamePicks, gamePrices, readGame } from '../boards/picks/game.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { firstSide, priceHistory, pricePoints } from './charts/price-history.ts';
import { counted } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { aboutLabel, labelOf } from './labels.ts';
import { page } from './page.ts';
import { teamLinks } from './parts/entity-links.ts';
import { choices, pathWith } from './parts/filters.ts';
import { groupList } from './parts/group-list.ts';
import { nextPage } from './parts/paging.ts';
import { pickList } from './parts/pick-list.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { countdown, fullWhen, hasStarted, startDate, unknownStart } from './times.ts';

const pageLength = 20;

/** `/game/:id`: a game, its odds, and every pick on it. */
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
    const priced = (wanted: string | undefined) =>
      game.priced.find(
        (each) => each.market === wanted && (subject === undefined || each.subject === subject),
      );
    const drawn =
      priced(market) ?? priced('spread') ?? priced('moneyline') ?? priced('total') ?? game.priced[0];
    const [picks, prices] = await Promise.all([
      gamePicks(context, game.id, { market, subject, side }, pageLength + 1, from),
      drawn === undefined ? [] : gamePrices(context.database, game.id, drawn),
    ]);
    return { game, picks, prices, drawn };
  },
  render({ game, picks, prices, drawn }, { now, params, sports, site }) {
    const { market, subject, side, from } = params;
    const path = `/game/${game.id}`;
    const [teams, sport] = [game.game, sports.get(game.sport)?.label ?? game.sport.toUpperCase()];
    const total = game.sides.reduce((sum, { count }) => sum + count, 0);
    const filters = { market, subject, side };
    const links = teamLinks(game);
    const body = html`${pageHead({
      eyebrow: html`<a href="/sport/${game.sport}">${sport}</a>`,
      title: html`<bdi>${teams}</bdi>`,
      lead: html`${game.startsAt !== null ? fullWhen(game.startsAt) : game.day === null ? 'Start time not announced' : unknownStart(game)} · ${stateOf(game, now)}${links !== false && html`<br>${links}`}`,
    })}${game.score !== null && section({ heading: 'Score', id: 'score', body: scores(game) })}${section({
      heading: 'Odds',
      id: 'prices',
      note: 'Each book’s main line over time, or its odds if the market has no line.',
      body: priceSection(game, drawn, prices, filters),
    })}${
      game.groups.length > 0 &&
      section({
        heading: 'Sharp consensus',
        id: 'consensus',
        note: 'Sides that two or more elite or verified sharp cappers agree on.',
        body: groupList(game.groups, now),
      })
    }${section({
      heading: 'Picks',
      id: 'picks',
      note: `${counted(total, 'pick')}, newest first.`,
      data: [{ path: pathWith('/api/picks/by-game', { sport: game.sport, game: game.game }), label: 'JSON' }],
      body: html`${
        game.sides.length > 1 &&
        choices('Side', [
          { label: `All ${total}`, path: `${path}#picks`, chosen: market === undefined },
          ...game.sides.map((each) => ({
            label: `${aboutLabel(each)}, ${labelOf('side', each.side).toLowerCase()}: ${each.count}`,
            path: `${pathWith(path, { market: each.market, subject: each.subject, side: each.side })}#picks`,
            chosen:
              each.market === market &&
              (subject === undefined || each.subject === subject) &&
              (side === undefined || each.side === side),
          })),
        ])
      }${picks.length === 0 ? empty('No picks on this game yet.') : pickList(picks.slice(0, pageLength), now)}${nextPage(
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

function scores({ score, halfScore, game }: GameView): Html {
  const [away = 'Away', home = 'Home', ...rest] = game.split(' @ ');
  const isTitle = rest.length === 0;
  const rows = [
    { name: 'Final', score },
    { name: 'First half', score: halfScore },
  ];
  return html`<table class="plain"><thead><tr><th scope="col">Score</th><th scope="col"><bdi>${isTitle ? away : 'Away'}</bdi></th><th scope="col"><bdi>${isTitle ? home : 'Home'}</bdi></th></tr></thead>
<tbody>${rows.map(
    ({ name, score: of }) =>
      of !== null && html`<tr><th scope="row">${name}</th><td>${of.away}</td><td>${of.home}</td></tr>`,
  )}</tbody></table>`;
}

function priceSection(
  game: GameView,
  drawn: MarketAbout | undefined,
  prices: Parameters<typeof pricePoints>[2],
  filters: { market: string | undefined; side: string | undefined },
): Html {
  if (drawn === undefined) return empty('No odds are recorded for this game.');
  const side =
    (filters.market === drawn.market ? prices.find((row) => row.side === filters.side)?.side : undefined) ??
    firstSide(drawn.market, prices);
  const points = side === undefined ? [] : pricePoints(drawn.market, side, prices);
  return html`${
    game.priced.length > 1 &&
    choices(
      'Market',
      game.priced.map((each) => ({
        label: aboutLabel(each),
        path: `${pathWith(`/game/${game.id}`, { market: each.market, subject: each.subject })}#prices`,
        chosen: each === drawn,
      })),
    )
  }<h3>${aboutLabel(drawn)}${side !== undefined && `, ${labelOf('side', side).toLowerCase()}`}</h3>${
    side === undefined || points.length < 2
      ? empty('Only one set of odds is recorded, so there is no chart.')
      : priceHistory(drawn.market, points)
  }`;
}
