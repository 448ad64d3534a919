import type { Static } from 'typebox';
import { capperBreakdown } from '../boards/cappers/breakdown.ts';
import { closeFigures } from '../boards/cappers/close-figures.ts';
import { capperClv, capperExtremes } from '../boards/cappers/clv.ts';
import { capperFollow } from '../boards/cappers/follow.ts';
import { capperLuck } from '../boards/cappers/luck.ts';
import { capperMarkets, capperSports, capperStats } from '../boards/cappers/stats.ts';
import { capperStreak } from '../boards/cappers/streaks.ts';
import { capperUnitsCurve } from '../boards/cappers/timeline.ts';
import type { BoardContext } from '../boards/endpoint.ts';
import { upcomingFeed } from '../boards/feeds/today.ts';
import { handle, optionalMarket, optionalProvenance, optionalSport, window } from '../boards/params.ts';
import type { PublicPick } from '../boards/pick.ts';
import { shownProvenance } from '../boards/record.ts';
import { knownCapper } from '../boards/subjects.ts';
import { type CapperKey, keysOfCapper } from '../cappers/keys.ts';
import { profileOf, type SignedProfile } from '../cappers/profiles.ts';
import { iso } from '../platform/clock.ts';
import { Type } from '../platform/type.ts';
import type { ProvenanceFilter } from '../projections/pick-filter.ts';
import { tags } from '../projections/tags.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { Verdict } from '../rules/verdict.ts';
import { windowDays } from '../rules/vocabulary.ts';
import { clvHistogram } from './charts/clv-histogram.ts';
import { unitsCurve } from './charts/units-curve.ts';
import { bpsText, clv, counted, countText, percentText, recordText, signedText } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { labelOf, marketLabel } from './labels.ts';
import { all, page } from './page.ts';
import { capperPath, tierBadge } from './parts/capper.ts';
import { filterChips, filtersBy, pathWith } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { facts, listed, table } from './parts/lists.ts';
import { liveNotice } from './parts/live.ts';
import { bandText, luckFigures } from './parts/luck.ts';
import { pickList } from './parts/pick-list.ts';
import { edgeText, hitRate, sampleMark, sampleText, units, yieldText } from './parts/rate.ts';
import { recordCard, type Record as ShownRecord } from './parts/record.ts';
import { empty, pageHead, part, section } from './parts/section.ts';
import { clvLabel, edgeLabel, verdictCell, verdictFinding } from './parts/verdict.ts';
import { fullWhen, monthText, when } from './times.ts';

/** Days charted if no window is chosen: the maximum that boards return. */
const maxDays = 90;

const shownPicks = 3;

export const capperPage = page({
  path: '/c/:handle',
  params: Type.Object({
    handle,
    window,
    sport: optionalSport,
    market: optionalMarket,
    provenance: optionalProvenance,
  }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  examples: [
    { handle: '{handle}' },
    { handle: '{handle}', window: '90d', sport: '{sport}', market: 'total' },
    { handle: '{handle}', provenance: 'imported' },
  ],
  async data(context, { handle: name, window, sport, market, provenance: chosen }) {
    const filter = { ...(sport !== undefined && { sport }), ...(market !== undefined && { market }) };
    const capper = await knownCapper(context.database, name);
    const provenance = chosen ?? (await shownProvenance(context, { capperId: capper.id }));
    const params = { handle: capper.handle, ...filter, provenance };
    const days = windowDays[window] ?? maxDays;
    const isWhole = window === 'all' && sport === undefined && market === undefined;
    const close = async (within: typeof window) =>
      (await closeFigures(context, [capper.handle], { ...filter, provenance, window: within })).get(
        capper.handle,
      );
    return {
      capper,
      provenance,
      ...(await all({
        keys: keysOfCapper(context.database, capper.id),
        profile: profileOf(context.database, capper),
        stats: capperStats.compute(context, params),
        breakdown: capperBreakdown.compute(context, { ...params, window }),
        luck: capperLuck.compute(context, { ...params, window, days }),
        follow: capperFollow.compute(context, { handle: capper.handle, ...filter, window }),
        curve: capperUnitsCurve.compute(context, { ...params, days }),
        tonight: upcomingFeed.compute(context, { hours: 24, capper_handle: capper.handle, ...filter }),
        sports: capperSports.compute(context, { handle: capper.handle }),
        markets: capperMarkets.compute(context, {
          handle: capper.handle,
          provenance,
          ...(sport !== undefined && { sport }),
        }),
        whole: isWhole ? wholeRecord(context, capper.handle, provenance) : undefined,
        close: close('all'),
        closeWithin: close(window === 'all' ? '30d' : window),
      })),
    };
  },
  render({ capper, provenance, ...found }, { now, site, params, sports }) {
    const { keys, profile, stats, breakdown, luck, follow, whole, close, closeWithin } = found;
    const [curve, tonight, markets] = [found.curve.days, found.tonight.picks, found.markets.markets];
    const { sport, market, window } = params;
    const filter = { sport, market };
    const ofBoards = { ...filter, provenance: provenance === 'all' ? undefined : provenance };
    const within = window === 'all' ? undefined : window;
    const days = String(curve.length);
    const sportLabel = (key: string) => sports.get(key)?.label ?? key.toUpperCase();
    const narrowed = [
      sport && sportLabel(sport),
      market && marketLabel(market),
      within && labelOf('window', within),
    ]
      .filter(Boolean)
      .join(', ');
    // Streaks include imported picks.
    const streak = provenance === 'all' ? whole?.streak : undefined;
    const { lifetime, last30d, bySport, lastPicks } = stats;
    const path = capperPath(capper.handle);
    const api = `/api/cappers/${encodeURIComponent(capper.handle)}`;
    const how = `?handle=${encodeURIComponent(capper.handle)}`;
    const name = profile?.profile.display_name ?? capper.displayName ?? capper.handle;
    const chips = filterChips(
      path,
      [
        filtersBy.sport(
          found.sports.sports.map((each) => each.sport),
          sports,
          sport,
        ),
        filtersBy.market(
          markets.map((each) => each.market),
          market,
        ),
        filtersBy.window('window', within),
        filtersBy.records(provenance, params.provenance),
      ],
      0,
    );
    const picksOf = (picks: readonly PublicPick[]) => pickList(picks, now, { capper: false });
    const evidence = [
      section({
        heading: 'Record',
        id: 'record',
        how: `${how}#price`,
        note: 'Yield: profit per unit at equal stakes, with its 95% range.',
        data: [
          { path: pathWith(`${api}/stats`, ofBoards) },
          {
            path: pathWith(`${api}/follow`, { window: within, ...filter }),
            label: 'Follower’s price (JSON)',
          },
          { path: `/docs/widget?handle=${encodeURIComponent(capper.handle)}`, label: 'Embed' },
        ],
        body: html`<div class="records">${recordCard(labelOf('window', 'all'), lifetime, close)}${within === undefined ? recordCard(labelOf('window', '30d'), last30d, closeWithin) : recordCard(labelOf('window', within), breakdown.record, closeWithin)}</div>${followerLine(capper.handle, follow)}${claimedLine(breakdown)}`,
      }),
      luck.decided > 0 &&
        section({
          heading: 'Luck',
          id: 'luck',
          how: `${how}#luck`,
          note: html`How bettors without skill would do with the same picks at the same odds, ${
            luck.method === 'simulated' ? 'simulated 2,000 times' : 'by the normal distribution'
          }. Based on ${counted(luck.decided, 'win or loss', 'wins and losses')}${narrowed !== '' && html` (${narrowed} only)`}.`,
          data: [{ path: pathWith(`${api}/luck`, { window: within, days, ...ofBoards }) }],
          body: luckFigures(luck),
        }),
      whole !== undefined && closingSection(whole, now, { api, how, provenance: ofBoards.provenance }),
      (bySport.length > 0 || breakdown.record.picks > 0) &&
        section({
          heading: 'Breakdown',
          id: 'breakdown',
          how: `${how}#price`,
          note: `By month, odds, and stake ${
            within === undefined
              ? 'over all time; months cover the last two years.'
              : `over the last ${labelOf('window', within)}.`
          }`,
          data: [
            { path: `${api}/sports`, label: 'Sports (JSON)' },
            {
              path: pathWith(`${api}/markets`, { sport, provenance: ofBoards.provenance }),
              label: 'Markets (JSON)',
            },
            { path: `${api}/clv-by-sport`, label: 'CLV (JSON)' },
            { path: pathWith(`${api}/breakdown`, { window: within, ...ofBoards }) },
          ],
          body: html`${
            bySport.length > 0 &&
            html`${splitTable('By sport', 'Sport', bySport, (row) => html`<a href="${pathWith(path, { sport: row.sport, market, provenance: params.provenance })}">${sportLabel(row.sport)}</a>`)}
<details class="more"><summary>By market</summary>
${table(
  ['Market', 'Verdict', 'Hit rate (W–L–P)', 'Picks', 'Last posted'],
  markets.map((row) => [
    html`<a href="${pathWith(path, { sport, market: row.market, provenance: params.provenance })}">${marketLabel(row.market)}</a>`,
    verdictCell(row.verdict),
    hitRate({ ...outOf(row.record), record: row.record, breakEvenPct: row.breakEvenPct }),
    countText(row.picks),
    when(row.lastPostedAt, now),
  ]),
)}</details>`
          }${
            breakdown.record.picks > 0 &&
            html`${splitTable('By month', 'Month', breakdown.months, ({ month }) => html`<a href="${pathWith(`${path}/picks`, { ...filter, month })}">${monthText(month)}</a>`)}${splitTable('By odds', 'Odds', breakdown.odds, bandText)}${splitTable('By stake', 'Stake', breakdown.stakes, stakeText)}`
          }`,
        }),
      section({
        heading: 'Latest picks',
        id: 'picks',
        data: [{ path: `${path}/rss.xml`, label: 'RSS' }],
        body: listed(
          lastPicks.slice(0, shownPicks),
          whole === undefined ? 'No picks match these filters. Try fewer filters.' : 'No picks yet.',
          picksOf,
        ),
      }),
      keys.length > 0 &&
        section({
          heading: 'Keys',
          id: 'keys',
          note: html`With these keys ${capper.handle} signs picks, so that nobody else can post them. Ask them for the fingerprint elsewhere and compare.`,
          data: [{ path: '/rules/author-keys', label: 'Rules' }, { path: `${api}/keys` }],
          body: html`${profile !== null && profileText(profile)}${keyList(keys)}`,
        }),
    ];
    const body = html`${pageHead({
      eyebrow: html`Capper${!capper.verified && ', not verified: new picks are not accepted'}`,
      title: html`<bdi>${name}</bdi>`,
      lead: html`${name !== capper.handle && html`${capper.handle} · `}${tierBadge(capper.tier)}${streak?.kind != null && ` · ${streak.kind === 'W' ? 'won' : 'lost'} ${streak.length === 1 ? 'the last one' : `the last ${streak.length}`}`}`,
    })}${part(
      html`${verdictFinding(
        stats.verdict,
        [sport && sportLabel(sport), market && marketLabel(market)].filter(Boolean).join(', '),
        `${how}#verdicts`,
      )}${followLinks(site, { capper_handle: capper.handle, ...filter }, pathWith(`${path}/rss.xml`, filter))}${
        whole === undefined &&
        html`<p class="note">${narrowed} only. <a href="${path}">The full record</a></p>`
      }`,
      'verdict',
    )}${liveNotice({ capper_handle: capper.handle, ...(sport !== undefined && { sport }) })}${section({
      heading: 'Tonight',
      id: 'tonight',
      data: [
        { path: pathWith('/api/feed/upcoming', { hours: '24', capper_handle: capper.handle, ...filter }) },
      ],
      links: [{ path: pathWith(`${path}/picks`, filter), label: 'All picks' }],
      body: listed(tonight, 'No pending picks on games of the next 24 hours.', picksOf, [shownPicks, 'pick']),
    })}${section({
      heading: 'Net units',
      id: 'units',
      how: `${how}#units`,
      note: `The last ${days} days, starting at 0. The band shows where pure luck would end up at the same odds.`,
      data: [
        { path: pathWith(`${api}/units-curve`, { days, ...ofBoards }) },
        { path: pathWith(`${api}/timeline`, { days, ...ofBoards }), label: 'By day (JSON)' },
      ],
      body: html`${
        lifetime.picks > 0 &&
        facts(
          [
            ['Units, all time', units(lifetime)],
            [edgeLabel, edgeText(lifetime, close)],
            [
              'Sample (W–L–P)',
              html`${sampleText(lifetime)} <small>${provenance === 'all' ? 'live and imported' : provenance}</small>`,
            ],
          ],
          'facts three',
        )
      }${
        luck.decided > 0
          ? unitsCurve(curve, luck.days)
          : empty(
              lifetime.picks === 0 && lifetime.aboveMarket + lifetime.unseen > 0
                ? 'No settled picks that count.'
                : `No results in the last ${days} days.`,
            )
      }`,
    })}${part(chips)}<details class="evidence" id="evidence"><summary>Evidence</summary>${evidence}</details>`;
    return {
      title: whole === undefined ? `${name}, ${narrowed}` : name,
      about: `${name}’s record${whole === undefined ? ` (${narrowed})` : ''}: ${recordText(lifetime.record)} (W–L–P) over ${counted(lifetime.picks, 'settled pick')}, with odds, closing odds, and results.`,
      path: pathWith(path, { window: within, ...filter, provenance: params.provenance }),
      under: '/cappers',
      card: { path: `${path}/card.png`, alt: `${name}: ${recordText(lifetime.record)} (W–L–P)` },
      feeds: [{ title: `Picks by ${capper.handle}`, path: `${path}/rss.xml` }],
      head: jsonLd({
        '@context': 'https://schema.org',
        '@type': 'ProfilePage',
        url: `${site.baseUrl}${path}`,
        mainEntity: { '@type': 'Person', name, alternateName: capper.handle, url: `${site.baseUrl}${path}` },
      }),
      body,
    };
  },
});

async function wholeRecord(context: BoardContext, handle: string, provenance: ProvenanceFilter) {
  const [streak, values, extremes] = await Promise.all([
    capperStreak.compute(context, { handle }),
    capperClv.compute(context, { handle, provenance, last_n: 1 }),
    capperExtremes.compute(context, { handle, provenance, n: 3 }),
  ]);
  return { streak, values, extremes };
}

function closingSection(
  { values, extremes }: Awaited<ReturnType<typeof wholeRecord>>,
  now: number,
  { api, how, provenance }: { api: string; how: string; provenance: string | undefined },
): Html {
  return section({
    heading: 'Closing line value',
    id: 'clv',
    how: `${how}#clv`,
    note: html`The odds taken compared with the last odds before the start, for the ${counted(values.sample, 'pick')} that closed at the line taken, pending ones included. Edge removes the bookmaker’s margin and also covers picks whose line moved.`,
    data: [
      { path: pathWith(`${api}/clv`, { provenance }) },
      { path: pathWith(`${api}/clv-trend`, { provenance }), label: 'By day (JSON)' },
      { path: pathWith(`${api}/extremes`, { provenance }), label: 'Best and worst (JSON)' },
    ],
    body:
      values.sample === 0
        ? empty('No picks have closed at the line taken yet.')
        : html`${facts([
            [
              'Odds vs. close',
              `${percentText((100 * values.beatSample) / values.sample)} beat the close, ${percentText((100 * values.evenSample) / values.sample)} matched it`,
            ],
            [html`Median ${clvLabel}`, html`${clv(values.medianBps)}${sampleMark(values.sample)}`],
            ['Middle 50% of picks', `${bpsText(values.p25Bps)} to ${bpsText(values.p75Bps)}`],
          ])}${clvHistogram(values.histogram, values)}${
            extremes.best.length > 0 &&
            html`<details class="more"><summary>Best and worst</summary><h3>Best</h3>${pickList(extremes.best, now, { capper: false })}<h3>Worst</h3>${pickList(extremes.worst, now, { capper: false })}<p class="note">Good odds can lose, and bad odds can win.</p></details>`
          }`,
  });
}

/** Says how bets placed 15 minutes after each pick did; empty if no odds were stored then. */
function followerLine(handle: string, { live, delays }: Static<typeof capperFollow.body>): Html | false {
  const followed = delays.find(({ delay }) => delay === 15);
  if (followed === undefined || followed.picks === 0) return false;
  const { own, missed, unknown } = followed;
  const others = live.picks - followed.picks;
  return html`<p class="note">Of ${counted(live.picks, 'live pick')}, ${countText(followed.picks)} could still be had after 15 minutes${sampleMark(followed.picks)}; on those, ${handle} made ${signedText(own.unitsNet, 1)} units, a follower ${signedText(followed.unitsNet, 1)}.${others > 0 && ` Of the others, ${countText(missed)} were gone by then, and of ${countText(unknown)} no price was read.`} <a href="/rules/records#the-followers-price">Exact rule</a></p>`;
}

/** Says how many results no score confirms; empty if there are none. */
function claimedLine({ claimed }: Static<typeof capperBreakdown.body>): Html | false {
  if (claimed.picks === 0) return false;
  return html`<p class="note">${counted(claimed.picks, 'result')} (${recordText(claimed.record)}, ${units(claimed)}) of this record ${claimed.picks === 1 ? 'is' : 'are'} claimed by the imported file, and no score confirms ${claimed.picks === 1 ? 'it' : 'them'}. <a href="/rules/grading#claims">Exact rule</a></p>`;
}

function stakeText({ fromUnits, toUnits }: Static<typeof capperBreakdown.body>['stakes'][number]): string {
  if (fromUnits === null) return `Under ${toUnits}u`;
  return toUnits === null ? `${fromUnits}u and up` : `${fromUnits}u to under ${toUnits}u`;
}

function splitTable<Row extends ShownRecord & { verdict?: Verdict }>(
  summary: string,
  heading: string,
  rows: readonly Row[],
  name: (row: Row) => Html | string,
): Html {
  const isJudged = rows.some(({ verdict }) => verdict !== undefined);
  return html`<details class="more"><summary>${summary}</summary>
${table(
  [heading, ...(isJudged ? ['Verdict'] : []), 'Yield', 'Hit rate (W–L–P)', 'Net units'],
  rows.map((row) => [
    name(row),
    ...(row.verdict === undefined ? [] : [verdictCell(row.verdict)]),
    yieldText(row),
    hitRate(row),
    units(row),
  ]),
)}</details>
`;
}

function outOf(record: string): { wins: number; losses: number } {
  const [wins = 0, losses = 0] = record.split('-').map(Number);
  return { wins, losses };
}

function keyList(keys: readonly CapperKey[]): Html {
  return table(
    ['Fingerprint', 'Use', 'Trusted because', 'Added'],
    keys.map((key) => [
      html`<code>${fingerprint(key.keyId)}</code>`,
      key.purpose === 'device' ? 'Signs picks' : 'Recovery',
      reason(key),
      html`${fullWhen(iso(key.addedAt))}${key.revokedAt !== null && html`<br>Revoked by the ${key.revokedBy} ${fullWhen(iso(key.revokedAt))}`}`,
    ]),
  );
}

function reason({ first, endorsedBy }: CapperKey): Html | string {
  if (endorsedBy !== null) return html`signed for by <code>${fingerprint(endorsedBy)}</code>`;
  return first ? 'the first one, by invitation' : 'another invitation: no earlier key signed for it';
}

/** Renders a capper's profile, which nobody has checked. */
function profileText({ profile: { link, about }, key }: SignedProfile): Html {
  return html`<p>${about !== null && html`<bdi>${about}</bdi> `}${
    link !== null && html`<a href="${link}" rel="nofollow ugc noopener">${link}</a>`
  } <small class="quiet">Their own words, signed with key <code>${fingerprint(key)}</code>.</small></p>
`;
}
