import { capperPicks, pickFilters } from '../boards/cappers/picks.ts';
import { capperMarkets, capperSports } from '../boards/cappers/stats.ts';
import { knownCapper } from '../boards/subjects.ts';
import { Type } from '../platform/type.ts';
import { tags } from '../projections/tags.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { capperPath, tierBadge, unverifiedMark } from './parts/capper.ts';
import { filterChips, filtersBy, nextPage, pathWith } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { listed } from './parts/lists.ts';
import { pickList } from './parts/pick-list.ts';
import { pageHead, part, section } from './parts/section.ts';

const pageLength = 20;

export const capperPicksPage = page({
  path: '/c/:handle/picks',
  params: Type.Object({
    handle: capperPicks.params.properties.handle,
    ...pickFilters,
    cursor: capperPicks.params.properties.cursor,
  }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  examples: [
    { handle: '{handle}' },
    { handle: '{handle}', sport: '{sport}', result: 'win', provenance: 'imported' },
    { handle: '{handle}', cursor: '1735689600000-0f8fad5b-d9cb-469f-a165-70867728950e' },
  ],
  async data(context, params) {
    const capper = await knownCapper(context.database, params.handle);
    const [{ picks, nextCursor }, { sports }, { markets }] = await Promise.all([
      capperPicks.compute(context, { ...params, handle: capper.handle, limit: pageLength }),
      capperSports.compute(context, { handle: capper.handle }),
      capperMarkets.compute(context, { handle: capper.handle, provenance: 'all' }),
    ]);
    return {
      capper,
      picks,
      nextCursor,
      sportKeys: sports.map(({ sport }) => sport),
      marketNames: markets.map(({ market }) => market),
    };
  },
  render({ capper, picks, nextCursor, sportKeys, marketNames }, { now, params, site, sports }) {
    const { sport, market, result, month, provenance, cursor } = params;
    const filters = {
      sport,
      market,
      result,
      month,
      provenance: provenance === 'all' ? undefined : provenance,
    };
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    const name = capper.displayName ?? capper.handle;
    const path = `${capperPath(capper.handle)}/picks`;
    const body = html`${pageHead({
      eyebrow: html`<a href="${capperPath(capper.handle)}">Capper</a>`,
      title: html`Picks by <bdi>${name}</bdi>`,
      lead: html`${tierBadge(capper.tier)}${unverifiedMark(capper)} Newest first, including pending picks.`,
    })}${part(
      html`${filterChips(path, [
        filtersBy.result(result),
        filtersBy.sport(sportKeys, sports, sport),
        filtersBy.market(marketNames, market),
        filtersBy.records(provenance, filters.provenance),
        ...filtersBy.month(month),
      ])}${followLinks(site, { capper_handle: capper.handle, sport, market }, pathWith(`${capperPath(capper.handle)}/rss.xml`, filters))}`,
    )}${section({
      heading: cursor === undefined ? 'Picks' : 'Earlier picks',
      id: 'picks',
      data: [
        { path: pathWith(`/api/cappers/${encodeURIComponent(capper.handle)}/picks`, filters) },
        { path: pathWith(`${capperPath(capper.handle)}/rss.xml`, filters), label: 'RSS' },
      ],
      body: html`${listed(picks, nobody(isFiltered, nextCursor !== null), (some) => pickList(some, now, { capper: false }))}${nextPage(
        {
          first: cursor === undefined ? undefined : pathWith(path, filters),
          next: nextCursor === null ? undefined : pathWith(path, { ...filters, cursor: nextCursor }),
          label: 'Earlier picks',
        },
      )}`,
    })}`;
    return {
      title: `Picks by ${name}`,
      about: `Every pick by ${name}, with odds, closing odds, and results.`,
      // Search engines index only the first, unfiltered page.
      path,
      under: '/cappers',
      feeds: [{ title: `Picks by ${capper.handle}`, path: `${capperPath(capper.handle)}/rss.xml` }],
      body,
    };
  },
});

function nobody(isFiltered: boolean, isMore: boolean): string {
  if (isMore) return 'No recent picks match these filters. Earlier ones may match: see the next page.';
  return isFiltered ? 'No picks match these filters. Try fewer filters.' : 'No picks yet.';
}
