import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { gamesToday } from '../boards/feeds/games-today.ts';
import { settledFeed } from '../boards/feeds/settled.ts';
import { sport } from '../boards/params.ts';
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
import { choices, pathWith } from './parts/filters.ts';
import { pickList } from './parts/pick-list.ts';
import { excess, hitRate } from './parts/rate.ts';
import { windowRecords } from './parts/record.ts';
import { empty, foldRest, pageHead, section } from './parts/section.ts';
import { dayText, startText } from './times.ts';

/** So many games of today a phone shows at first. */
const shownGames = 4;

/** `/sport/:sport`: today, leaders and the record of one sport. */
export const sportPage = page({
  path: '/sport/:sport',
  params: Type.Object({ sport }),
  tags: ({ sport: key }) => [tags.sport(key), tags.world],
  examples: [{ sport: '{sport}' }],
  async data(context, params) {
    const [today, leaders, settled, tallies] = await Promise.all([
      gamesToday.compute(context, params),
      leaderboard.compute(context, { ...params, window: '90d', provenance: 'all', limit: 5 }),
      settledFeed.compute(context, { ...params, provenance: 'all', limit: 6 }),
      windowTallies(context.database, windows, etDay(context.now), params),
    ]);
    return {
      ...{ today, leaders: leaders.cappers, settled: settled.picks },
      records: {
        '7d': recordOf(tallies['7d']),
        '30d': recordOf(tallies['30d']),
        '90d': recordOf(tallies['90d']),
        all: recordOf(tallies.all),
      },
    };
  },
  render({ today, leaders, settled, records }, { now, params, sports }) {
    const { sport: key } = params;
    const label = sports.get(key)?.label ?? key.toUpperCase();
    const body = html`${pageHead({ eyebrow: dayText(today.day), title: label })}<div class="entry"><div class="sheet">${choices(
      'Sport',
      [...sports.values()].map((each) => ({
        label: each.label,
        path: `/sport/${each.key}`,
        chosen: each.key === key,
      })),
    )}</div></div>${section({
      heading: 'Today',
      id: 'today',
      note: 'Games with picks that start today, Eastern Time.',
      links: [
        { path: pathWith('/sharp', { sport: key }), label: 'Consensus' },
        { path: pathWith('/api/feed/today.ics', { sport: key }), label: 'Calendar' },
      ],
      body:
        today.games.length === 0
          ? empty('No game with picks starts today.')
          : foldRest(today.games, shownGames, 'game', (some) => gamesList(some, now)),
    })}${section({
      heading: 'Leaders',
      id: 'leaders',
      note: 'By their record against the price over 90 days: by the lower end of its 95% interval.',
      links: [
        { path: pathWith('/leaderboard', { window: '90d', sport: key }), label: 'All' },
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
          ? empty('Nobody has settled a pick here within 90 days.')
          : html`<table class="standings"><thead><tr><th scope="col">Rank</th><th scope="col">Capper</th><th scope="col">Against the price</th><th scope="col">Hit rate, won–lost–push</th></tr></thead>
<tbody>${leaders.map(
              (capper) =>
                html`<tr><td class="rank">${capper.rank}</td><th scope="row">${capperLink(capper.handle, capper.tier, { sport: key })}</th><td data-label="Against price">${excess(capper)}</td><td data-label="Hit rate">${hitRate(capper)}</td></tr>
`,
            )}</tbody></table>`
      }`,
    })}${section({
      heading: 'Latest settlements',
      id: 'settled',
      body: settled.length === 0 ? empty('Nothing has settled yet.') : pickList(settled, now),
    })}${section({
      heading: 'Record',
      id: 'record',
      note: 'All cappers together, by the day of settling, Eastern Time. Intervals are 95%.',
      body: windowRecords(records),
    })}`;
    return {
      title: label,
      about: `${label}: games with picks today, the best records, and all picks together.`,
      path: `/sport/${key}`,
      under: '/',
      body,
    };
  },
});

type GameOfDay = Awaited<ReturnType<typeof gamesToday.compute>>['games'][number];

function gamesList(games: readonly GameOfDay[], now: number): Html {
  return html`<ul class="finds">${games.map(
    ({ gameId, game, startsAt, pickCount, capperCount }) =>
      html`<li><a href="/game/${gameId}"><bdi>${game}</bdi></a> <small>${startText(startsAt, now)} · ${counted(pickCount, 'pick')} by ${counted(capperCount, 'capper')}</small></li>
`,
  )}</ul>`;
}
