import { type DirectoryRow, readDirectory } from '../boards/cappers/directory.ts';
import { floor, handle, optionalProvenance, optionalSport, optionalTier, window } from '../boards/params.ts';
import { shownProvenance } from '../boards/record.ts';
import { Type } from '../platform/type.ts';
import { tags } from '../projections/tags.ts';
import { countText } from './figures.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { filterChips, filtersBy, nextPage, pathWith, provenanceSentence } from './parts/filters.ts';
import { table } from './parts/lists.ts';
import { hitRate, yieldText } from './parts/rate.ts';
import { empty, pageHead, part, section } from './parts/section.ts';
import { nobodyProven, verdictLabel, verdictTone } from './parts/verdict.ts';
import { when } from './times.ts';

/** Short enough for a phone. */
const pageLength = 12;

export const cappersPage = page({
  path: '/cappers',
  params: Type.Object({
    sport: optionalSport,
    tier: optionalTier,
    provenance: optionalProvenance,
    active: { ...window, description: 'Only cappers who posted a pick within these ET days.' },
    min_picks: floor(1, 'Only cappers with at least this many picks.'),
    after: Type.Optional({ ...handle, description: 'The page starts after this handle.' }),
  }),
  tags: ({ sport }) => [sport === undefined ? tags.posted : tags.sport(sport), tags.settled, tags.world],
  examples: [{}, { sport: '{sport}', active: '30d', min_picks: '2' }, { tier: 'elite', after: 'a1' }],
  async data(context, { after, min_picks, provenance: chosen, ...filters }) {
    const provenance = chosen ?? (await shownProvenance(context, { sport: filters.sport }));
    const page = await readDirectory(
      context,
      { ...filters, provenance, minPicks: min_picks },
      pageLength,
      after,
    );
    return { provenance, ...page };
  },
  render({ cappers, provenance, next }, { now, params, sports }) {
    const { sport, tier, active, min_picks, after } = params;
    const filters = {
      sport,
      tier,
      provenance: params.provenance,
      active: active === 'all' ? undefined : active,
      min_picks: min_picks === 1 ? undefined : String(min_picks),
    };
    const isFiltered = Object.values({ ...filters, after }).some((value) => value !== undefined);
    const body = html`${pageHead({
      eyebrow: 'Directory',
      title: 'Cappers',
      lead: html`Cappers who have posted here, by handle. Figures cover all time and match the filters. To compare two, search for their handles: <code>ada vs bob</code>. ${provenanceSentence(provenance)}`,
    })}${part(
      filterChips('/cappers', [
        filtersBy.sport(sports.keys(), sports, sport),
        filtersBy.tier(tier),
        filtersBy.window('active', filters.active),
        filtersBy.leastPicks(filters.min_picks),
        filtersBy.records(provenance, params.provenance),
      ]),
    )}${section({
      heading: after === undefined ? 'By handle' : html`After <bdi>${after}</bdi>`,
      id: 'cappers',
      note: `Yield is what one unit on each pick would have earned per unit, with its 95% range. ${nobodyProven(cappers.map(({ verdict }) => verdict))}`,
      data: [{ path: pathWith('/api/cappers', { tier, sport }) }],
      body: html`${
        cappers.length === 0
          ? empty(
              next === null
                ? isFiltered
                  ? 'No cappers match these filters. Try fewer filters.'
                  : 'No cappers yet.'
                : 'No matches among these cappers. Later ones may match: see the next page.',
            )
          : directory(cappers, now)
      }${nextPage({
        first: after === undefined ? undefined : pathWith('/cappers', filters),
        next: next === null ? undefined : pathWith('/cappers', { ...filters, after: next }),
        label: 'More cappers',
      })}`,
    })}`;
    return {
      title: 'Cappers',
      about: 'All cappers, by sport, tier, and activity.',
      path: '/cappers',
      under: '/cappers',
      body,
    };
  },
});

function directory(cappers: readonly DirectoryRow[], now: number): Html {
  return table(
    ['Capper', 'Verdict', 'Picks', 'Yield', 'Hit rate (W–L–P)'],
    cappers.map(({ handle, displayName, tier, verified, posted, lastPostedAt, record, verdict }) => [
      html`${capperLink({ handle, tier, verified })}${displayName !== null && html`<br><small><bdi>${displayName}</bdi></small>`}`,
      html`<b class="${verdictTone(verdict)}">${verdictLabel(verdict)}</b>`,
      html`${countText(posted)}${lastPostedAt !== null && html` <small>latest ${when(lastPostedAt, now)}</small>`}`,
      yieldText(record),
      hitRate(record),
    ]),
  );
}
