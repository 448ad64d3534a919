import type { Static } from 'typebox';
import { sportTag } from '../boards/formats/pick-text.ts';
import { search, searchQuery } from '../boards/search/search.ts';
import { SeeOther } from '../cache/renderable.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { labelOf, sportTags } from './labels.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { pathWith } from './parts/filters.ts';
import { pickList } from './parts/pick-list.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { verdictCell } from './parts/verdict.ts';
import { hasStarted, type Start, unknownStart, when } from './times.ts';

type Found = Static<typeof search.body>;

/** `/search`: finds cappers, games, picks, and log entries by name, number, or hash. */
export const searchPage = page({
  path: '/search',
  params: Type.Object({ q: Type.Optional(searchQuery) }),
  listed: false,
  lifetime: search.lifetime,
  keep: false,
  tags: () => everyEvent,
  examples: [{}, { q: '{handle}' }, { q: '{sport}' }],
  async data(context, { q }) {
    if (q === undefined) return undefined;
    const found = await search.compute(context, { q });
    const path = onlyPath(found);
    if (path !== undefined) throw new SeeOther(path);
    return found;
  },
  render(found, { now, params: { q = '' } }) {
    const body =
      found === undefined
        ? html`${pageHead({ eyebrow: 'Search', title: 'Find a capper, game, or pick' })}${section({
            heading: 'What you can search for',
            id: 'hints',
            body: html`<ul class="prose">
<li>A sport, market, or tier, and what you want of it: <a href="/search?q=nba+totals">nba totals</a>, <a href="/search?q=elite">elite</a>, <a href="/search?q=best+nfl+capper">best nfl capper</a>, <a href="/search?q=clv">clv</a></li>
<li>Cappers, by handle or name</li>
<li>Games, by one or both teams, in any order</li>
<li>A pick, by record number, ID, or the first 6 characters of its ID</li>
<li>A log entry, by index, hash, or the first 6 characters of its hash</li>
</ul>`,
          })}`
        : html`${pageHead({
            eyebrow: 'Search',
            title: html`<bdi>${q}</bdi>`,
            lead: html`${summary(found)}${
              found.suggestion !== null &&
              html` Did you mean <a href="${pathWith('/search', { q: found.suggestion })}"><bdi>${found.suggestion}</bdi></a>?`
            }`,
          })}${results(found, now)}`;
    return {
      title: q === '' ? 'Search' : `Search: ${q}`,
      about: 'Search cappers, games, sports, markets, picks, and log entries.',
      search: q,
      body,
    };
  },
});

/** Returns the page of the only pick or entry found, if nothing else was found. */
function onlyPath({ pages, picks, entries, cappers, games }: Found): string | undefined {
  if (pages.length > 0 || cappers.length > 0 || games.length > 0) return undefined;
  const paths = new Set([...picks.map(({ pickUuid }) => pickPath(pickUuid)), ...entries.map(entryPath)]);
  return paths.size === 1 ? [...paths][0] : undefined;
}

const pickPath = (uuid: string) => `/p/${uuid}`;
const entryPath = ({ seq, pickUuid }: Found['entries'][number]) =>
  pickUuid === null ? `/ledger/body/${seq}` : pickPath(pickUuid);

function summary({ pages, picks, entries, cappers, games }: Found): string {
  const parts = [
    pages.length > 0 && counted(pages.length, 'page'),
    picks.length > 0 && counted(picks.length, 'pick'),
    entries.length > 0 && counted(entries.length, 'log entry', 'log entries'),
    cappers.length > 0 && counted(cappers.length, 'capper'),
    games.length > 0 && counted(games.length, 'game'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'No matches.' : `${parts.join(', ')}.`;
}

function gameList(heading: string, games: Found['games'], now: number): Html | false {
  return (
    games.length > 0 &&
    html`<h3>${heading}</h3><ul class="finds">${games.map((game) => gameLine(game, now))}</ul>`
  );
}

function results({ pages, picks, entries, cappers, games }: Found, now: number): Html {
  const started = games.filter(({ startsAt }) => hasStarted(startsAt, now));
  const coming = games.filter((game) => !started.includes(game));
  return html`${
    pages.length > 0 &&
    section({
      heading: 'Pages',
      id: 'pages',
      body: html`<ul class="finds">${pages.map(
        ({ title, path }) => html`<li><a href="${path}">${title}</a></li>
`,
      )}</ul>`,
    })
  }${
    picks.length > 0 &&
    section({ heading: 'Picks', id: 'picks', note: 'By ID or record number.', body: pickList(picks, now) })
  }${
    entries.length > 0 &&
    section({
      heading: 'Log entries',
      id: 'entries',
      note: 'By index or hash.',
      body: html`<ul class="finds">${entries.map(
        (
          entry,
        ) => html`<li><a href="${entryPath(entry)}">Entry ${entry.seq}</a>: ${labelOf('entry', entry.kind)}${
          entry.bet !== null && html`, <bdi>${entry.bet}</bdi>, <bdi>${entry.game}</bdi>`
        }<br><small><code>${entry.hash}</code></small></li>
`,
      )}</ul>`,
    })
  }${
    cappers.length > 0 &&
    section({
      heading: 'Cappers',
      id: 'cappers',
      body: html`<ul class="finds">${cappers.map(
        ({
          sports,
          picks: posted,
          lastPostedAt,
          verdict,
          ...capper
        }) => html`<li>${capperLink(capper)} ${verdictCell(verdict)} <small>${
          lastPostedAt === null
            ? 'no picks yet'
            : html`${counted(posted, 'pick')} in ${sportTags(sports)}, latest ${when(lastPostedAt, now)}`
        }</small></li>
`,
      )}</ul>`,
    })
  }${
    games.length > 0 &&
    section({
      heading: 'Games',
      id: 'games',
      note: 'Upcoming games, soonest first, then the latest ones. Add the opponent’s name to narrow the list.',
      body: html`${gameList('Upcoming', coming, now)}${gameList('Started', started, now)}`,
    })
  }${
    pages.length + picks.length + entries.length + cappers.length + games.length === 0 &&
    section({
      heading: 'Try this',
      id: 'further',
      body: html`${empty('Use fewer words, or only the first letters of a name.')}
<ul class="prose"><li><a href="/cappers">All cappers</a></li><li><a href="/leaderboard">Leaderboard</a></li><li><a href="/record/export">Full record</a></li></ul>`,
    })
  }`;
}

interface ListedGame extends Start {
  id: number;
  sport: string;
  game: string;
  status: string;
}

/** Renders a game in a list. */
function gameLine({ id, sport, game, startsAt, day, status }: ListedGame, now: number): Html {
  return html`<li><span class="sport">${sportTag(sport)}</span> <a href="/game/${id}"><bdi>${game}</bdi></a> <small>${
    startsAt === null ? unknownStart({ day }) : when(startsAt, now)
  }${status !== 'scheduled' && `, ${labelOf('gameStatus', status).toLowerCase()}`}</small></li>
`;
}
