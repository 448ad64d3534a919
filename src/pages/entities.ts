import type { Static } from 'typebox';
import { type BoardContext, SeeOther } from '../boards/endpoint.ts';
import { marketBoard } from '../boards/entities/market.ts';
import { playerBoard } from '../boards/entities/player.ts';
import { teamBoard } from '../boards/entities/team.ts';
import { oddsText } from '../boards/formats/odds-text.ts';
import { sportTag } from '../boards/formats/pick-text.ts';
import { bookName } from '../rules/book-words.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { labelOf, marketLabel } from './labels.ts';
import { page } from './page.ts';
import { capperOf } from './parts/capper.ts';
import { pathWith } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { groupList } from './parts/group-list.ts';
import { lines, listed, table } from './parts/lists.ts';
import { oddsTaken, outcome, pickLink, pickList } from './parts/pick-list.ts';
import { hitRate, yieldText } from './parts/rate.ts';
import { recordCard } from './parts/record.ts';
import { empty, pageHead, part, section } from './parts/section.ts';
import { standings } from './parts/standings.ts';
import { nobodyProven } from './parts/verdict.ts';
import { fullWhen, startText, unknownStart } from './times.ts';

type Player = Static<typeof playerBoard.body>;
type Team = Static<typeof teamBoard.body>;
type OpenPick = Player['open'][number];

const unfolded = 6;

export const playerPage = page({
  path: '/player/:sport/:name',
  params: playerBoard.params,
  tags: playerBoard.tags,
  examples: playerBoard.examples,
  data: (context, params) => atItsAddress(playerBoard, context, params),
  render({ name, sport, path, open, markets, results, cappers }, { now, site }) {
    const body = html`${pageHead({
      eyebrow: html`<a href="/sport/${sport}">${sportTag(sport)}</a>`,
      title: html`<bdi>${name}</bdi>`,
      lead: html`${open.length === 0 ? 'No pending picks' : counted(open.length, 'pending pick')} · ${counted(
        markets.reduce((sum, { picks }) => sum + picks, 0),
        'settled pick',
      )} that count`,
    })}${part(followLinks(site, { sport, player: name }, `${path}/rss.xml`))}${openSection(
      open,
      now,
      path,
    )}${section({
      heading: 'By statistic',
      id: 'markets',
      how: '#price',
      note: 'All settled picks on this player, at equal stakes.',
      body: markets.length === 0 ? empty('No results yet.') : marketTable(markets, sport),
    })}${section({
      heading: 'Latest results',
      id: 'results',
      note: 'The line of each pick, and what the box score says.',
      body: listed(results, 'No results yet.', resultTable, [unfolded, 'result']),
    })}${cappersSection(cappers, sport)}`;
    return {
      title: name,
      about: `${name} (${sportTag(sport)}): pending picks with the best odds, records by statistic, and results next to the lines.`,
      path,
      under: '/',
      feeds: [{ title: `Picks on ${name}`, path: `${path}/rss.xml` }],
      body,
    };
  },
});

export const teamPage = page({
  path: '/team/:sport/:name',
  params: teamBoard.params,
  tags: teamBoard.tags,
  examples: teamBoard.examples,
  data: (context, params) => atItsAddress(teamBoard, context, params),
  render({ name, sport, path, coming, played, open, backing, against, cappers }, { now, site }) {
    const [game] = coming;
    const body = html`${pageHead({
      eyebrow: html`<a href="/sport/${sport}">${sportTag(sport)}</a>`,
      title: html`<bdi>${name}</bdi>`,
      lead:
        game === undefined
          ? 'No upcoming game is announced.'
          : html`Next: <a href="/game/${game.id}"><bdi>${game.game}</bdi></a>, ${startText(game, now)}`,
    })}${part(followLinks(site, { sport, team: name }, `${path}/rss.xml`))}${openSection(open, now, path)}${
      coming.length > 1 &&
      section({ heading: 'Next games', id: 'next', body: gameList(coming, (each) => startText(each, now)) })
    }${section({
      heading: 'Last results',
      id: 'last',
      body: played.length === 0 ? empty('No results yet.') : gameList(played, scoreText),
    })}${section({
      heading: 'Picks for and against',
      id: 'records',
      how: '#price',
      note: 'Settled picks on a side of its games: to win, or with a spread.',
      body: html`<div class="records">${recordCard('For', backing)}${recordCard('Against', against)}</div>`,
    })}${cappersSection(cappers, sport)}`;
    return {
      title: name,
      about: `${name} (${sportTag(sport)}): next games with picks, last results, and the record of picks for and against.`,
      path,
      under: '/',
      feeds: [{ title: `Picks on games of ${name}`, path: `${path}/rss.xml` }],
      body,
    };
  },
});

export const marketPage = page({
  path: '/market/:sport/:market',
  params: marketBoard.params,
  tags: marketBoard.tags,
  examples: marketBoard.examples,
  data: marketBoard.compute,
  render({ sport, market, groups, cappers, open }, { now, site }) {
    const path = `/market/${sport}/${market}`;
    const title = `${sportTag(sport)}: ${marketLabel(market).toLowerCase()}`;
    const leaders = pathWith('/leaderboard', { sport, market });
    const body = html`${pageHead({
      eyebrow: html`<a href="/sport/${sport}">${sportTag(sport)}</a>`,
      title: `${sportTag(sport)} ${marketLabel(market).toLowerCase()}`,
      lead: `${counted(open.length, 'pick')} on today’s games (ET).`,
    })}${part(followLinks(site, { sport, market }, `${path}/rss.xml`))}${section({
      heading: 'Consensus',
      id: 'consensus',
      how: '#consensus',
      note: 'Today’s sides that two or more elite or verified sharp cappers agree on.',
      data: [{ path: `/api/markets/${sport}/${market}` }],
      body: listed(groups, 'No two sharp cappers agree on a game of today.', (some) => groupList(some, now), [
        2,
        'group',
      ]),
    })}${section({
      heading: 'Best cappers',
      id: 'cappers',
      how: '#price',
      note: `Of all time, ranked as on the leaderboard. ${nobodyProven(cappers.map(({ verdict }) => verdict))}`,
      links: [{ path: leaders, label: 'Leaderboard' }],
      body: cappersTable(cappers, { sport, market }),
    })}${section({
      heading: 'Today’s picks',
      id: 'picks',
      body: listed(open, 'No picks on today’s games.', (some) => pickList(some, now), [unfolded, 'pick']),
    })}`;
    return {
      title,
      about: `${title}. Today’s consensus and picks, and the best cappers with their verdicts.`,
      path,
      under: '/',
      feeds: [{ title: `Picks: ${title}`, path: `${path}/rss.xml` }],
      body,
    };
  },
});

/** @throws SeeOther if its page has another address */
async function atItsAddress<B extends { path: string }, P extends { sport: string; name: string }>(
  entity: { compute(context: BoardContext, params: P): Promise<B> },
  context: BoardContext,
  params: P,
): Promise<B> {
  const found = await entity.compute(context, params);
  const [, kind] = found.path.split('/');
  if (found.path !== `/${kind}/${params.sport}/${encodeURIComponent(params.name)}`)
    throw new SeeOther(found.path);
  return found;
}

function openSection(open: readonly OpenPick[], now: number, path: string): Html {
  const byGame = [...Map.groupBy(open, ({ gameId }) => gameId).values()];
  return section({
    heading: 'Pending picks',
    id: 'open',
    note: 'By game, with the odds taken and the best odds now.',
    data: [{ path: `/api${path.replace(/^\/(\w+)/, '/$1s')}` }, { path: `${path}/rss.xml`, label: 'RSS' }],
    body:
      open.length === 0
        ? empty('No pending picks.')
        : html`${byGame.map(
            (picks) => html`<h3><a href="/game/${picks[0]!.gameId}"><bdi>${picks[0]!.game}</bdi></a></h3>
<p class="note">${startText(picks[0]!, now)}</p>${listed(picks, '', openList, [unfolded, 'pick'])}`,
          )}`,
  });
}

function openList(picks: readonly OpenPick[]): Html {
  return lines(
    picks.map(
      (pick) =>
        html`${pickLink(pick)} ${oddsTaken(pick)} <small>by ${capperOf(pick)}${pick.best !== null && html` · now <b>${oddsText(pick.best.oddsAmerican)}</b> at <bdi>${bookName(pick.best.book)}</bdi>`}</small>`,
    ),
  );
}

function marketTable(markets: Player['markets'], sport: string): Html {
  return table(
    ['Statistic', 'Hit rate (W–L–P)', 'Yield'],
    markets.map((row) => [
      html`<a href="/market/${sport}/${row.market}" id="${row.market}">${marketLabel(row.market)}</a>`,
      hitRate(row),
      yieldText(row),
    ]),
  );
}

function resultTable(results: readonly Player['results'][number][]): Html {
  return lines(
    results.map(
      (pick) =>
        html`${outcome(pick.result, pick.half)} ${pickLink(pick)}${pick.actual !== null && html`: <b>${pick.actual}</b>`} <small>${pick.startsAt === null ? unknownStart(pick) : fullWhen(pick.startsAt)} · <a href="/game/${pick.gameId}"><bdi>${pick.game}</bdi></a> · ${capperOf(pick)}</small>`,
    ),
  );
}

function cappersSection(cappers: Player['cappers'], sport: string): Html {
  return section({
    heading: 'Cappers',
    id: 'cappers',
    how: '#verdicts',
    note: `Records on these picks only; a rank takes 20 wins and losses. The verdict covers all of ${sportTag(sport)}. ${nobodyProven(cappers.map(({ verdict }) => verdict))}`,
    body: cappersTable(cappers, { sport }),
  });
}

function cappersTable(
  cappers: readonly Player['cappers'][number][],
  filter: { sport: string; market?: string },
): Html {
  return listed(cappers, 'No settled picks yet.', (some) => standings(some, filter), [4, 'capper']);
}

function gameList(games: Team['coming'], about: (game: Team['coming'][number]) => Html | string): Html {
  return lines(
    games.map(
      (game) => html`<a href="/game/${game.id}"><bdi>${game.game}</bdi></a> <small>${about(game)}</small>`,
    ),
  );
}

function scoreText({ awayScore, homeScore, startsAt, day, status }: Team['played'][number]): Html {
  return html`<b>${awayScore}–${homeScore}</b> ${labelOf('gameStatus', status).toLowerCase()}, ${startsAt === null ? unknownStart({ day }) : fullWhen(startsAt)}`;
}
