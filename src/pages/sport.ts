import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { gamesToday } from '../boards/feeds/games-today.ts';
import { settledFeed } from '../boards/feeds/latest.ts';
import { sport } from '../boards/params.ts';
import { shownProvenance } from '../boards/shown-provenance.ts';
import { Type } from '../platform/type.ts';
import { windowTallies } from '../projections/rollups.ts';
import { tags } from '../projections/tags.ts';
import { etDay } from '../rules/et-day.ts';
import { markets } from '../rules/markets/index.ts';
import { recordOf } from '../rules/tally.ts';
import { windows } from '../rules/vocabulary.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { marketLabel } from './labels.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { choices, pathWith, provenanceSentence } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { pickList } from './parts/pick-list.ts';
import { hitRate, yieldText } from './parts/rate.ts';
import { windowRecords } from './parts/record.ts';
import { empty, foldRest, pageHead, section } from './parts/section.ts';
import { explained, nobodyProven, verdictCell } from './parts/verdict.ts';
import { dayText, startText } from './times.ts';

/** Number of today's games that a phone shows before the fold. */
const shownGames = 4;

/** `/sport/:sport`: today, leaders, and the record of one sport. */
export const sportPage = page({
  path: '/sport/:sport',
  params: Type.Object({ sport }),
  tags: ({ sport: key }) => [tags.sport(key), tags.world],
  examples: [{ sport: '{sport}' }],
  async data(context, params) {
    const provenance = await shownProvenance(context, params);
    const [today, leaders, settled, tallies] = await Promise.all([
      gamesToday.compute(context, params),
      leaderboard.compute(context, { ...params, window: '90d', provenance, limit: 4 }),
      settledFeed.compute(context, { ...params, provenance: 'all', limit: 4 }),
      windowTallies(context.database, windows, etDay(context.now), { ...params, provenance }),
    ]);
    return {
      today,
      leaders: leaders.cappers,
      settled: settled.picks,
      provenance,
      records: {
        '7d': recordOf(tallies['7d']),
        '30d': recordOf(tallies['30d']),
        '90d': recordOf(tallies['90d']),
        all: recordOf(tallies.all),
      },
    };
  },
  render({ today, leaders, settled, records, provenance }, { now, params, site, sports }) {
    const { sport: key } = params;
    const label = sports.get(key)?.label ?? key.toUpperCase();
    const body = html`${pageHead({ eyebrow: dayText(today.day), title: label })}<div class="entry"><div class="sheet">${choices(
      'Sport',
      [...sports.values()].map((each) => ({
        label: each.label,
        path: `/sport/${each.key}`,
        chosen: each.key === key,
      })),
    )}${followLinks(site, { sport: key }, pathWith('/picks.rss', { sport: key }))}</div></div>${section({
      heading: 'Today',
      id: 'today',
      note: 'Games today (ET) that have picks.',
      links: [
        { path: pathWith('/sharp', { sport: key }), label: 'Consensus' },
        { path: pathWith('/api/feed/today.ics', { sport: key }), label: 'Calendar' },
      ],
      body:
        today.games.length === 0
          ? empty('No games with picks today.')
          : foldRest(today.games, shownGames, 'game', (some) => gamesList(some, now)),
    })}${section({
      heading: 'Leaders',
      id: 'leaders',
      note: `Ranked by yield over 90 days, drawn toward 0 because real edges are small, at the low end of its 95% range. ${provenanceSentence(provenance)} ${nobodyProven(leaders.map(({ verdict }) => verdict))}`,
      links: [
        { path: pathWith('/leaderboard', { window: '90d', sport: key }), label: 'Full list' },
        { path: pathWith('/leaderboard', { sport: key }), label: 'All time' },
      ],
      body: html`${choices(
        'Leaders by market',
        markets.map(({ name }) => ({
          label: marketLabel(name),
          path: pathWith('/leaderboard', { sport: key, market: name }),
          chosen: false,
        })),
      )}${
        leaders.length === 0
          ? empty('No settled picks in the last 90 days.')
          : html`<table class="standings"><thead><tr><th scope="col">Rank</th><th scope="col">Capper</th><th scope="col">Verdict</th><th scope="col">Yield</th><th scope="col">Hit rate (W–L–P)</th></tr></thead>
<tbody>${leaders.map(
              (capper) =>
                html`<tr><td class="rank">${capper.rank ?? '–'}</td><th scope="row">${capperLink(capper, { sport: key })}</th><td data-label="Verdict">${verdictCell(capper.verdict)}</td><td data-label="Yield">${yieldText(capper)}</td><td data-label="Hit rate">${hitRate(capper)}</td></tr>
`,
            )}</tbody></table>`
      }`,
    })}${section({
      heading: 'Latest results',
      id: 'settled',
      body: settled.length === 0 ? empty('No results yet.') : pickList(settled, now),
    })}${section({
      heading: 'Record',
      id: 'record',
      note: `All cappers combined, by the day picks settled (ET). ${provenanceSentence(provenance)} Ranges are 95% confidence intervals. ${explained}`,
      body: windowRecords(records),
    })}`;
    return {
      title: label,
      about: `${label}: today’s games with picks, the best records, and the overall record.`,
      path: `/sport/${key}`,
      under: '/',
      body,
    };
  },
});

type GameOfDay = Awaited<ReturnType<typeof gamesToday.compute>>['games'][number];

function gamesList(games: readonly GameOfDay[], now: number): Html {
  return html`<ul class="finds">${games.map(
    ({ gameId, game, pickCount, capperCount, ...start }) =>
      html`<li><a href="/game/${gameId}"><bdi>${game}</bdi></a> <small>${startText(start, now)} · ${counted(pickCount, 'pick')} by ${counted(capperCount, 'capper')}</small></li>
`,
  )}</ul>`;
}
