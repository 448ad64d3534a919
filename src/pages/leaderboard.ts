import { closeFigures } from '../boards/cappers/close-figures.ts';
import { clvLeaderboard, leaderboard, unitsLeaderboard } from '../boards/cappers/leaderboard.ts';
import type { BoardContext } from '../boards/endpoint.ts';
import {
  oneOf,
  optionalMarket,
  optionalProvenance,
  optionalSport,
  optionalTier,
  window,
} from '../boards/params.ts';
import { shownProvenance } from '../boards/record.ts';
import { Type } from '../platform/type.ts';
import { eventsOf } from '../projections/tags.ts';
import { marketIn, markets } from '../rules/markets/index.ts';
import { playerMarkets } from '../rules/markets/player-markets.ts';
import { html } from './html.ts';
import { labelOf } from './labels.ts';
import { page } from './page.ts';
import { filterChips, filtersBy, nextPage, pathWith, provenanceSentence } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { listed } from './parts/lists.ts';
import { pageHead, part, section } from './parts/section.ts';
import { standings } from './parts/standings.ts';
import { explained, nobodyProven } from './parts/verdict.ts';

const orders = {
  record: {
    label: 'Record',
    noun: 'record',
    board: '/api/leaderboard',
    how: '#price',
    note: 'Ranked by yield, drawn toward 0 because real edges are small. The low end of its 95% range decides the rank, so neither a few lucky picks nor long shots lead.',
  },
  clv: {
    label: 'CLV',
    noun: 'closing line value',
    board: '/api/leaderboard/clv',
    how: '#clv',
    note: 'Ranked by average closing line value. Only picks that closed at the line taken count, and a capper needs 25 of them. Edge covers all picks.',
  },
  units: {
    label: 'Units',
    noun: 'net units',
    board: '/api/leaderboard/units',
    how: '#units',
    note: 'Ranked by net units. A capper needs 10 settled picks. Larger stakes count for more, so equal stakes stand beside them.',
  },
} as const;

/** Short enough for a phone. */
const pageLength = 10;

export const leaderboardPage = page({
  path: '/leaderboard',
  params: Type.Object({
    by: oneOf(['record', 'clv', 'units'], 'Sort order.', { default: 'record' }),
    window,
    sport: optionalSport,
    market: optionalMarket,
    tier: optionalTier,
    provenance: optionalProvenance,
    after: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'The page starts after this rank.',
    }),
  }),
  tags: ({ sport }) => eventsOf(sport, ['settled']),
  examples: [
    {},
    { by: 'clv', window: '90d' },
    { by: 'units', sport: '{sport}', market: 'total', tier: 'elite' },
    { provenance: 'live' },
    { after: '1' },
  ],
  async data(context, { by, after, provenance: chosen, ...others }) {
    const provenance = chosen ?? (await shownProvenance(context, { sport: others.sport }));
    const filters = { ...others, provenance };
    // One more than shown, to know whether another page follows.
    const params = { ...filters, limit: after + pageLength + 1 };
    const { cappers } = await ranked(context, by, params);
    const shown = cappers.slice(after, after + pageLength);
    const { sport, market, window } = filters;
    return {
      provenance,
      cappers: shown,
      closes: await closeFigures(
        context,
        shown.map(({ handle }) => handle),
        { sport, market, window, provenance },
      ),
      isLast: cappers.length <= after + pageLength,
    };
  },
  render({ cappers, closes, provenance, isLast }, { params, site, sports }) {
    const { by, window, sport, market, tier, after } = params;
    const filters = {
      window: window === 'all' ? undefined : window,
      sport,
      market,
      tier,
      provenance: params.provenance,
    };
    const order = orders[by];
    const kept = { by: by === 'record' ? undefined : by, ...filters };
    const body = html`${pageHead({
      eyebrow: labelOf('window', window),
      title: 'Leaderboard',
      lead: 'Past results do not guarantee future results.',
    })}${part(
      html`${filterChips(
        '/leaderboard',
        [
          filtersBy.sport(sports.keys(), sports, sport),
          filtersBy.market(marketsOf(sport), market),
          {
            name: 'by',
            label: 'Order',
            options: Object.entries(orders).map(([key, { label }]) => ({
              value: key === 'record' ? '' : key,
              label: `By ${label}`,
            })),
            chosen: kept.by,
          },
          filtersBy.window('window', filters.window),
          filtersBy.tier(tier),
          filtersBy.records(provenance, params.provenance),
        ],
        2,
      )}${followLinks(
        site,
        { sport, market, tier },
        sport === undefined || market === undefined
          ? pathWith('/picks.rss', { sport })
          : `/market/${sport}/${market}/rss.xml`,
      )}`,
    )}${section({
      heading: `By ${order.noun}`,
      id: 'standings',
      how: order.how,
      note: `${order.note} ${provenanceSentence(provenance)} ${explained} ${nobodyProven(cappers.map(({ verdict }) => verdict))}`,
      data: [
        {
          path: pathWith(order.board, {
            ...filters,
            provenance: provenance === 'all' ? undefined : provenance,
          }),
        },
      ],
      body: html`${listed(cappers, after === 0 ? nobody(by) : `Nobody ranks below number ${after}.`, (some) => standings(some, { sport, market }, by, closes))}${nextPage(
        {
          first: after === 0 ? undefined : `${pathWith('/leaderboard', kept)}#standings`,
          next: isLast
            ? undefined
            : `${pathWith('/leaderboard', { ...kept, after: String(after + pageLength) })}#standings`,
          label: `Next ${pageLength}`,
        },
      )}`,
    })}`;
    return {
      title: `Leaderboard by ${order.noun}`,
      about: `Cappers ranked by ${order.noun}, with sample sizes and 95% ranges.`,
      path: pathWith('/leaderboard', { ...kept, after: after === 0 ? undefined : String(after) }),
      under: '/leaderboard',
      card: { path: '/leaderboard/card.png', alt: 'The top five of the leaderboard' },
      body,
    };
  },
});

function ranked(
  context: BoardContext,
  by: keyof typeof orders,
  params: Parameters<typeof leaderboard.compute>[1],
) {
  if (by === 'clv') return clvLeaderboard.compute(context, { ...params, min_n: 25 });
  if (by === 'units') return unitsLeaderboard.compute(context, { ...params, min_n: 10 });
  return leaderboard.compute(context, params);
}

function nobody(by: keyof typeof orders): string {
  if (by === 'record') return 'No capper has a settled pick that matches these filters. Try fewer filters.';
  return by === 'clv'
    ? 'No capper has 25 picks with closing line value that match these filters. Try fewer filters.'
    : 'No capper has 10 settled picks that match these filters. Try fewer filters.';
}

/** Markets of games, and those of players in the sport. */
function marketsOf(sport: string | undefined): string[] {
  return [...markets, ...playerMarkets]
    .filter(({ name }) => sport === undefined || marketIn(sport, name) !== undefined)
    .map(({ name }) => name);
}
