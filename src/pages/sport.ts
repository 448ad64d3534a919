import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { settledFeed } from '../boards/feeds/latest.ts';
import { gamesToday } from '../boards/feeds/today.ts';
import { sport } from '../boards/params.ts';
import { shownProvenance } from '../boards/record.ts';
import { Type } from '../platform/type.ts';
import { tags } from '../projections/tags.ts';
import { markets } from '../rules/markets/index.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { marketLabel } from './labels.ts';
import { page } from './page.ts';
import { choices, pathWith, provenanceSentence, sportChoices } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { lines, listed } from './parts/lists.ts';
import { pickList } from './parts/pick-list.ts';
import { pageHead, part, section } from './parts/section.ts';
import { standings } from './parts/standings.ts';
import { explained, nobodyProven } from './parts/verdict.ts';
import { dayText, startText } from './times.ts';

const shownGames = 4;

export const sportPage = page({
  path: '/sport/:sport',
  params: Type.Object({ sport }),
  tags: ({ sport: key }) => [tags.sport(key), tags.world],
  examples: [{ sport: '{sport}' }],
  async data(context, params) {
    const provenance = await shownProvenance(context, params);
    const [today, leaders, settled] = await Promise.all([
      gamesToday.compute(context, params),
      leaderboard.compute(context, { ...params, window: '90d', provenance, limit: 4 }),
      settledFeed.compute(context, { ...params, provenance: 'all', limit: 4 }),
    ]);
    return {
      today,
      leaders: leaders.cappers,
      settled: settled.picks,
      provenance,
    };
  },
  render({ today, leaders, settled, provenance }, { now, params, site, sports }) {
    const { sport: key } = params;
    const label = sports.get(key)?.label ?? key.toUpperCase();
    const body = html`${pageHead({ eyebrow: dayText(today.day), title: label })}${part(
      html`${sportChoices(sports.values(), key)}${followLinks(site, { sport: key }, pathWith('/picks.rss', { sport: key }))}`,
    )}${section({
      heading: 'Today',
      id: 'today',
      note: 'Games today (ET) that have picks.',
      links: [{ path: pathWith('/sharp', { sport: key }), label: 'Consensus' }],
      body: listed(today.games, 'No games with picks today.', (some) => gamesList(some, now), [
        shownGames,
        'game',
      ]),
    })}${section({
      heading: 'Leaders',
      id: 'leaders',
      note: `Ranked by yield over 90 days, drawn toward 0 because real edges are small, at the low end of its 95% range. ${provenanceSentence(provenance)} ${explained} ${nobodyProven(leaders.map(({ verdict }) => verdict))}`,
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
      )}${listed(leaders, 'No settled picks in the last 90 days.', (some) => standings(some, { sport: key }))}`,
    })}${section({
      heading: 'Latest results',
      id: 'settled',
      body: listed(settled, 'No results yet.', (some) => pickList(some, now)),
    })}`;
    return {
      title: label,
      about: `${label}: today’s games with picks, the best records, and the latest results.`,
      path: `/sport/${key}`,
      under: '/',
      body,
    };
  },
});

type GameOfDay = Awaited<ReturnType<typeof gamesToday.compute>>['games'][number];

function gamesList(games: readonly GameOfDay[], now: number): Html {
  return lines(
    games.map(
      ({ gameId, game, pickCount, capperCount, ...start }) =>
        html`<a href="/game/${gameId}"><bdi>${game}</bdi></a> <small>${startText(start, now)} · ${counted(pickCount, 'pick')} by ${counted(capperCount, 'capper')}</small>`,
    ),
  );
}
