import type { Static } from 'typebox';
import { SeeOther } from '../boards/endpoint.ts';
import { sportTag } from '../boards/formats/pick-text.ts';
import { search, searchQuery } from '../boards/search/search.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { labelOf, sportTags } from './labels.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { pathWith } from './parts/filters.ts';
import { lines } from './parts/lists.ts';
import { pickList } from './parts/pick-list.ts';
import { empty, pageHead, type Section, section } from './parts/section.ts';
import { verdictCell } from './parts/verdict.ts';
import { hasStarted, unknownStart, when } from './times.ts';

type Found = Static<typeof search.body>;

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

function results({ pages, picks, entries, cappers, games }: Found, now: number): Html {
  const started = games.filter(({ startsAt }) => hasStarted(startsAt, now));
  const coming = games.filter((game) => !started.includes(game));
  const gameList = (heading: string, some: Found['games']) =>
    some.length > 0 && html`<h3>${heading}</h3>${lines(some.map((game) => gameLine(game, now)))}`;
  const found: (Section | false)[] = [
    pages.length > 0 && {
      heading: 'Pages',
      id: 'pages',
      body: lines(pages.map(({ title, path }) => html`<a href="${path}">${title}</a>`)),
    },
    picks.length > 0 && {
      heading: 'Picks',
      id: 'picks',
      note: 'By ID or record number.',
      body: pickList(picks, now),
    },
    entries.length > 0 && {
      heading: 'Log entries',
      id: 'entries',
      note: 'By index or hash.',
      body: lines(
        entries.map(
          (entry) =>
            html`<a href="${entryPath(entry)}">Entry ${entry.seq}</a>: ${labelOf('entry', entry.kind)}${
              entry.bet !== null && html`, <bdi>${entry.bet}</bdi>, <bdi>${entry.game}</bdi>`
            }<br><small><code>${entry.hash}</code></small>`,
        ),
      ),
    },
    cappers.length > 0 && {
      heading: 'Cappers',
      id: 'cappers',
      body: lines(
        cappers.map(
          ({ sports, picks: posted, lastPostedAt, verdict, ...capper }) =>
            html`${capperLink(capper)} ${verdictCell(verdict)} <small>${
              lastPostedAt === null
                ? 'no picks yet'
                : html`${counted(posted, 'pick')} in ${sportTags(sports)}, latest ${when(lastPostedAt, now)}`
            }</small>`,
        ),
      ),
    },
    games.length > 0 && {
      heading: 'Games',
      id: 'games',
      note: 'Upcoming games, soonest first, then the latest ones. Add the opponent’s name to narrow the list.',
      body: html`${gameList('Upcoming', coming)}${gameList('Started', started)}`,
    },
  ];
  const sections = found.filter((one) => one !== false);
  if (sections.length > 0) return html`${sections.map(section)}`;
  return section({
    heading: 'Try this',
    id: 'further',
    body: html`${empty('Use fewer words, or only the first letters of a name.')}
<ul class="prose"><li><a href="/cappers">All cappers</a></li><li><a href="/leaderboard">Leaderboard</a></li><li><a href="/record/export">Full record</a></li></ul>`,
  });
}

function gameLine({ id, sport, game, startsAt, day, status }: Found['games'][number], now: number): Html {
  return html`<span class="sport">${sportTag(sport)}</span> <a href="/game/${id}"><bdi>${game}</bdi></a> <small>${
    startsAt === null ? unknownStart({ day }) : when(startsAt, now)
  }${status !== 'scheduled' && `, ${labelOf('gameStatus', status).toLowerCase()}`}</small>`;
}
