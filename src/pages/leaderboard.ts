import type { Static } from 'typebox';
import { type CloseFigures, closeFigures } from '../boards/cappers/close-figures.ts';
import { clvLeaderboard, leaderboard, unitsLeaderboard } from '../boards/cappers/leaderboard.ts';
import { type standingsBody, standingsTags } from '../boards/cappers/standings.ts';
import type { BoardContext } from '../boards/context.ts';
import { optionalMarket, optionalProvenance, optionalSport, optionalTier, window } from '../boards/params.ts';
import { shownProvenance } from '../boards/shown-provenance.ts';
import { Type } from '../platform/type.ts';
import { markets } from '../rules/markets/index.ts';
import { windows } from '../rules/vocabulary.ts';
import { clv, signedText } from './figures.ts';
import { type Html, html } from './html.ts';
import { labelOf } from './labels.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { choices, filterForm, pathWith, provenanceSentence, select, selects } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { nextPage } from './parts/paging.ts';
import { closeOf, hitRate, meanEdge, units, yieldText } from './parts/rate.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { clvLabel, edgeLabel, explained, nobodyProven, verdictCell } from './parts/verdict.ts';

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

type Row = Static<typeof standingsBody>['cappers'][number] & { onePick?: boolean };

/** `/leaderboard`: cappers by record, CLV, or units. */
export const leaderboardPage = page({
  path: '/leaderboard',
  params: Type.Object({
    by: Type.Union([Type.Literal('record'), Type.Literal('clv'), Type.Literal('units')], {
      default: 'record',
      must: 'one of record, clv, units',
      description: 'Sort order.',
    }),
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
  tags: standingsTags,
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
    const { cappers } = await standings(context, by, params);
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
      lead: `${provenanceSentence(provenance)} Past results do not guarantee future results.`,
    })}<div class="entry"><div class="sheet">${choices(
      'Order',
      Object.entries(orders).map(([key, { label }]) => ({
        label,
        path: pathWith('/leaderboard', { by: key === 'record' ? undefined : key, ...filters }),
        chosen: key === by,
      })),
    )}${filterForm(
      '/leaderboard',
      [
        selects.sport(sports.keys(), sports, sport),
        selects.market(
          markets.map(({ name }) => name),
          market,
        ),
        select(
          'window',
          'Period',
          windows.map((value) => ({ value, label: labelOf('window', value) })),
          window,
        ),
        selects.tier(tier),
        selects.records(provenance),
      ],
      { by: by === 'record' ? undefined : by },
    )}${
      sport !== undefined &&
      followLinks(
        site,
        { sport, market },
        market === undefined ? pathWith('/picks.rss', { sport }) : `/market/${sport}/${market}/rss.xml`,
      )
    }</div></div>${section({
      heading: `By ${order.noun}`,
      id: 'standings',
      how: order.how,
      note: `${order.note} ${explained} ${nobodyProven(cappers.map(({ verdict }) => verdict))}`,
      links: [
        {
          path: pathWith(order.board, {
            ...filters,
            provenance: provenance === 'all' ? undefined : provenance,
          }),
          label: 'JSON',
        },
      ],
      body: html`${
        cappers.length === 0
          ? empty(after === 0 ? nobody(by) : `Nobody ranks below number ${after}.`)
          : table(cappers, closes, by, { sport, market })
      }${nextPage({
        first: after === 0 ? undefined : `${pathWith('/leaderboard', kept)}#standings`,
        next: isLast
          ? undefined
          : `${pathWith('/leaderboard', { ...kept, after: String(after + pageLength) })}#standings`,
        label: `Next ${pageLength}`,
      })}`,
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

function standings(
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

function table(
  cappers: readonly Row[],
  closes: ReadonlyMap<string, CloseFigures>,
  by: keyof typeof orders,
  filter: Parameters<typeof capperLink>[1],
): Html {
  const head = (key: string, label: Html | string) =>
    html`<th scope="col"${key === by && html` aria-sort="descending"`}>${label}</th>`;
  return html`<table class="standings">
<thead><tr><th scope="col">Rank</th><th scope="col">Capper</th><th scope="col">Verdict</th>${head('record', 'Yield')}<th scope="col">Hit rate (W–L–P)</th>${head('units', 'Net units')}<th scope="col">${edgeLabel}</th>${head('clv', clvLabel)}</tr></thead>
<tbody>
${cappers.map((capper) => row(capper, closes.get(capper.handle), by, filter))}</tbody>
</table>`;
}

function row(
  capper: Row,
  close: CloseFigures | undefined,
  by: keyof typeof orders,
  filter: Parameters<typeof capperLink>[1],
): Html {
  const { rank } = capper;
  return html`<tr><td class="rank">${rank ?? '–'}</td><th scope="row">${capperLink(capper, filter)}</th><td data-label="Verdict">${verdictCell(capper.verdict)}</td><td data-label="Yield">${yieldText(capper)}</td><td data-label="Hit rate">${hitRate(capper)}</td><td data-label="Net units">${units(capper)}${by === 'units' && flatUnits(capper)}</td><td data-label="Average edge">${meanEdge(capper, close)}</td><td data-label="CLV">${clvOf(capper, close, by)}</td></tr>
`;
}

/** Renders what equal stakes would have made, and marks a lead that one pick makes. */
function flatUnits({ flatUnits: flat, onePick }: Row): Html {
  return html`${flat !== null && html` <small>equal stakes ${signedText(flat, 2)}u</small>`}${onePick === true && html` <small class="small-sample">lead of one pick</small>`}`;
}

/** Renders the median CLV and the share that beat the close, and in the ranking by CLV also its mean. */
function clvOf({ clvMeanBps }: Row, close: CloseFigures | undefined, by: keyof typeof orders): Html {
  return html`${close !== undefined && closeOf(close)}${by === 'clv' && clvMeanBps !== null && html` <small>average ${clv(clvMeanBps)}</small>`}`;
}
