import { Type } from 'typebox';
import { capperClv } from '../boards/cappers/clv.ts';
import { capperClvTrend } from '../boards/cappers/clv-trend.ts';
import { capperExtremes } from '../boards/cappers/extremes.ts';
import { capperLuck } from '../boards/cappers/luck.ts';
import { capperMarkets } from '../boards/cappers/markets.ts';
import { capperStats } from '../boards/cappers/stats.ts';
import { capperStreak } from '../boards/cappers/streak.ts';
import { capperTimeline } from '../boards/cappers/timeline.ts';
import { capperUnitsCurve } from '../boards/cappers/units-curve.ts';
import { handle } from '../boards/params.ts';
import { knownCapper } from '../boards/subjects.ts';
import { tags } from '../projections/tags.ts';
import { marketLabel } from '../rules/markets/index.ts';
import { clvHistogram } from './charts/clv-histogram.ts';
import { clvTrend } from './charts/clv-trend.ts';
import { heatStrip } from './charts/heat-strip.ts';
import { unitsCurve } from './charts/units-curve.ts';
import {
  bpsText,
  clv,
  counted,
  countText,
  netUnits,
  percentText,
  recordText,
  signedPercent,
} from './figures.ts';
import { html, jsonLd } from './html.ts';
import { page } from './page.ts';
import { capperPath, tierBadge } from './parts/capper.ts';
import { liveNotice } from './parts/live.ts';
import { luckFigures } from './parts/luck.ts';
import { pickList } from './parts/pick-list.ts';
import { excess, hitRate, meanClv, roi, sampleMark } from './parts/rate.ts';
import { recordCard } from './parts/record.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { when } from './times.ts';

const days = 90;

/** `/c/:handle`: a capper. */
export const capperPage = page({
  path: '/c/:handle',
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  examples: [{ handle: '{handle}' }],
  async data(context, { handle: name }) {
    const capper = await knownCapper(context.database, name);
    const params = { handle: capper.handle };
    const [stats, streak, curve, luck, timeline, values, trend, markets, extremes] = await Promise.all([
      capperStats.compute(context, { ...params, provenance: 'all' }),
      capperStreak.compute(context, params),
      capperUnitsCurve.compute(context, { ...params, days }),
      capperLuck.compute(context, { ...params, days }),
      capperTimeline.compute(context, { ...params, days }),
      capperClv.compute(context, { ...params, last_n: 1 }),
      capperClvTrend.compute(context, { ...params, days }),
      capperMarkets.compute(context, params),
      capperExtremes.compute(context, { ...params, n: 3 }),
    ]);
    return {
      capper,
      stats,
      streak,
      curve: curve.days,
      luck,
      timeline: timeline.days,
      values,
      trend: trend.days,
      markets: markets.markets,
      extremes,
    };
  },
  render({ capper, stats, streak, curve, luck, timeline, values, trend, markets, extremes }, { now, site }) {
    const { lifetime, last30d, bySport, lastPicks } = stats;
    const path = capperPath(capper.handle);
    const api = `/api/cappers/${encodeURIComponent(capper.handle)}`;
    const how = `?handle=${encodeURIComponent(capper.handle)}`;
    const name = capper.displayName ?? capper.handle;
    const settledLately = timeline.some(
      ({ wins, losses, pushes, voids }) => wins + losses + pushes + voids > 0,
    );
    const body = html`${pageHead({
      eyebrow: html`Capper${!capper.verified && ', not verified'}`,
      title: html`<bdi>${name}</bdi>`,
      lead: html`${capper.displayName !== null && html`${capper.handle} · `}${tierBadge(capper.tier)} · ${
        lifetime.picks === 0 ? 'nothing settled yet' : `${counted(lifetime.picks, 'settled pick')}`
      }${streak.kind !== null && ` · ${streak.kind === 'W' ? 'won' : 'lost'} the last ${streak.length === 1 ? 'one' : streak.length}`}`,
    })}${liveNotice({ capper_handle: capper.handle })}${section({
      heading: 'Record',
      id: 'record',
      how: `${how}#price`,
      note: 'Hit rate beside the break-even of the prices taken; against the price is what lies between, in points of a hundred. Intervals are 95%.',
      links: [
        { path: `${api}/stats`, label: 'JSON' },
        { path: `/docs/widget?handle=${encodeURIComponent(capper.handle)}`, label: 'Embed' },
      ],
      body: html`<div class="records">${recordCard('Lifetime', lifetime)}${recordCard('Last 30 days', last30d)}</div>`,
    })}${section({
      heading: 'Net units',
      id: 'units',
      how: `${how}#units`,
      note: `The last ${days} days, from 0 on the first. What fell since the last peak is shaded; behind it lies where chance alone leads at the same prices.`,
      links: [{ path: `${api}/units-curve?days=${days}`, label: 'JSON' }],
      body: settledLately ? unitsCurve(curve, luck.days) : empty(`Nothing settled within ${days} days.`),
    })}${
      luck.decided > 0 &&
      section({
        heading: 'Luck',
        id: 'luck',
        how: `${how}#luck`,
        note: html`The same picks, won by a coin as often as each price breaks even: ${
          luck.method === 'simulated' ? 'thrown 2,000 times' : 'by the normal distribution'
        }. Over ${counted(luck.decided, 'win')} and losses.`,
        links: [{ path: `${api}/luck`, label: 'JSON' }],
        body: luckFigures(luck),
      })
    }${section({
      heading: 'Day by day',
      id: 'days',
      note: `The last ${days} days, by the day of settling.`,
      links: [{ path: `${api}/timeline?days=${days}`, label: 'JSON' }],
      body: settledLately ? heatStrip(timeline) : empty(`Nothing settled within ${days} days.`),
    })}${section({
      heading: 'Closing line value',
      id: 'clv',
      how: `${how}#clv`,
      note: html`The price taken against the last one before the start: a capper who keeps beating it knows something the market learnt later. The edge takes the bookmaker’s margin out, and values moved lines too. ${
        lifetime.clvSample > 0 &&
        `Lifetime; closing line value over the ${counted(values.sample, 'pick')} that closed at their own line.`
      }`,
      links: [{ path: `${api}/clv`, label: 'JSON' }],
      body:
        values.sample === 0
          ? empty('No pick has a closing price at its own line yet.')
          : html`<dl class="facts">
<div><dt>Edge, mean</dt><dd>${signedPercent(lifetime.edgeMeanPct)} <small>n ${countText(lifetime.edgeSample)}</small>${sampleMark(lifetime.edgeSample)}</dd></div>
<div><dt>Beat the closing price</dt><dd>${percentText((100 * values.beatSample) / values.sample)} <small>level ${percentText((100 * values.evenSample) / values.sample)}</small></dd></div>
<div><dt><abbr title="closing line value">CLV</abbr>, median</dt><dd>${clv(values.medianBps)}${sampleMark(values.sample)}</dd></div>
<div><dt><abbr title="closing line value">CLV</abbr>, mean</dt><dd>${clv(values.meanBps)}</dd></div>
<div><dt>Middle half</dt><dd>${bpsText(values.p25Bps)} to ${bpsText(values.p75Bps)}</dd></div>
</dl>${clvHistogram(values.histogram, values)}${trend.some(({ runningSample }) => runningSample > 0) && html`<h3>Over the last ${days} days</h3>${clvTrend(trend)}`}`,
    })}${
      bySport.length > 0 &&
      section({
        heading: 'By sport and market',
        id: 'split',
        how: `${how}#price`,
        links: [
          { path: `${api}/sports`, label: 'Sports' },
          { path: `${api}/markets`, label: 'Markets' },
          { path: `${api}/clv-by-sport`, label: 'CLV by sport' },
        ],
        body: html`<table class="standings split">
<thead><tr><th scope="col">Sport</th><th scope="col">Against the price</th><th scope="col">Hit rate, won–lost–push</th><th scope="col">Net units</th><th scope="col">Mean <abbr title="closing line value">CLV</abbr></th></tr></thead>
<tbody>${bySport.map(
          (
            row,
          ) => html`<tr><th scope="row">${row.sport.toUpperCase()}</th><td data-label="Against price">${excess(row)}</td><td data-label="Hit rate">${hitRate(row)}</td><td data-label="Net units">${netUnits(row.unitsNet)} ${roi(row)}</td><td data-label="Mean CLV">${meanClv(row)}</td></tr>
`,
        )}</tbody></table>
<details class="more"><summary>By market</summary>
<table class="standings split">
<thead><tr><th scope="col">Market</th><th scope="col">Hit rate, won–lost–push</th><th scope="col">Picks</th><th scope="col">Last posted</th></tr></thead>
<tbody>${markets.map(
          ({
            market,
            picks,
            record,
            breakEvenPct,
            lastPostedAt,
          }) => html`<tr><th scope="row">${marketLabel(market)}</th><td data-label="Hit rate">${hitRate({ ...outOf(record), record, breakEvenPct })}</td><td data-label="Picks">${countText(picks)}</td><td data-label="Last posted">${when(lastPostedAt, now)}</td></tr>
`,
        )}</tbody></table></details>`,
      })
    }${
      extremes.best.length > 0 &&
      section({
        heading: 'Best and worst prices',
        id: 'extremes',
        how: `${how}#clv`,
        note: 'Picks by closing line value, of those whose line had not moved. A good price may lose, and a bad one win.',
        links: [{ path: `${api}/extremes`, label: 'JSON' }],
        body: html`<h3>Best</h3>${pickList(extremes.best, now, { capper: false })}<details class="more"><summary>The worst</summary>
${pickList(extremes.worst, now, { capper: false })}</details>`,
      })
    }${section({
      heading: 'Last picks',
      id: 'picks',
      note: 'The newest first, pending ones too.',
      links: [
        { path: `${path}/picks`, label: 'All picks' },
        { path: `${path}/rss.xml`, label: 'RSS' },
      ],
      body:
        lastPicks.length === 0
          ? empty('No pick posted yet.')
          : html`${pickList(lastPicks, now, { capper: false })}<p class="rest"><a href="${path}/picks">All picks, by sport, market, result and month</a></p>`,
    })}`;
    return {
      title: name,
      about: `${name} on the record: ${recordText(lifetime.record)} (won, lost, push) over ${counted(lifetime.picks, 'settled pick')}, with prices, closing prices and results.`,
      path,
      under: '/leaderboard',
      card: { path: `${path}/card.png`, alt: `${name}: ${recordText(lifetime.record)} (won, lost, push)` },
      feeds: [{ title: `Picks of ${capper.handle}`, path: `${path}/rss.xml` }],
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

/** Wins and losses of a record as the boards write it. */
function outOf(record: string): { wins: number; losses: number } {
  const [wins = 0, losses = 0] = record.split('-').map(Number);
  return { wins, losses };
}
