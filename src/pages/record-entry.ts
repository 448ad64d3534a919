import type { Pick } from '../boards/pick.ts';
import type { PickEventBody } from '../boards/picks/events.ts';
import { signed, tierName, units, utcText } from '../formats/pick-facts.ts';
import { isolated } from '../formats/safe-text.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** A pick and what happened to it. */
export interface RecordEntry {
  pick: Pick;
  events: readonly PickEventBody[];
}

/** `/record/:id`: one pick of the record, for people. */
export function recordEntryPage({ pick, events }: RecordEntry, baseUrl: string): string {
  const api = `/api/picks/${pick.pickUuid}`;
  const capper = `/c/${encodeURIComponent(pick.capperHandle)}`;
  const body = html`<p class="eyebrow">Record no. ${pick.id} · ${pick.sport.toUpperCase()}</p>
<h1><bdi>${pick.pick}</bdi> <span>${signed(pick.oddsAmerican)}</span></h1>
<p class="lead"><bdi>${pick.game}</bdi>${pick.startsAt !== null && html`, ${time(pick.startsAt)}`}</p>
<dl class="facts">
${fact('Result', html`<span class="outcome ${pick.result ?? 'pending'}">${pick.result ?? 'pending'}</span>`)}
${fact('Net units', pick.netUnits === null ? '–' : signed(pick.netUnits))}
${fact('Stake', units(pick.stakeUnits))}
${fact('Odds posted', `${signed(pick.oddsAmerican)} (${pick.oddsDecimal})`)}
${fact('Odds at closing', pick.closingOddsAmerican === null ? '–' : signed(pick.closingOddsAmerican))}
${fact('Closing line value', pick.clvBps === null ? '–' : `${signed(pick.clvBps / 100)} %`)}
${fact('Market', `${pick.market}, ${pick.side}${pick.line === null ? '' : ` ${signed(pick.line)}`}`)}
${fact('Capper', html`<a href="${capper}">${pick.capperHandle}</a>`)}
${fact('Tier when posted', tierName(pick.capperTier))}
</dl>
<h2>What happened</h2>
<p>Each step carries a hash over everything it says and over the step before it. Nothing here can be changed afterwards without the
hashes showing it.</p>
<ol class="life">
${events.map((event) => step(event))}</ol>
${pick.hashStatus === 'unhashed' && html`<p>This pick is not sealed into the log yet; that follows within moments.</p>`}
<h2>Check it yourself</h2>
<ul>
<li><a href="${api}/receipt">Receipt</a>: the hashed bodies and their proofs</li>
<li><a href="${api}">The pick</a>, <a href="${api}/timeline">its timeline</a> and <a href="${api}/closing">its closing price</a> as JSON</li>
<li><a href="/p/${pick.pickUuid}">Its permalink</a>, and <a href="/record/export">the whole record</a></li>
</ul>`;
  const page = {
    title: `${isolated(pick.pick)} ${signed(pick.oddsAmerican)}, ${isolated(pick.game)}`,
    about: `${isolated(pick.pick)} at ${signed(pick.oddsAmerican)} by ${pick.capperHandle}: ${pick.result ?? 'pending'}.`,
    path: `/record/${pick.id}`,
    feeds: [{ title: `Picks of ${pick.capperHandle}`, path: `${capper}/rss.xml` }],
    under: '/record/export',
    body,
  };
  return layout(page, baseUrl);
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function step(event: PickEventBody): Html {
  return html`<li>
<h3>${event.event[0]?.toUpperCase()}${event.event.slice(1)}</h3>
<p class="when">${time(event.at)}${event.seq !== null && html`, entry ${event.seq} of the log`}</p>
<p>${told(event)}</p>
${event.hash !== null && html`<p class="hash">${event.hash}</p>`}
</li>
`;
}

/** What an event says, as a sentence. */
function told(event: PickEventBody): string {
  switch (event.event) {
    case 'posted':
      return `${units(event.stakeUnits)} at ${signed(event.oddsAmerican)}${at(event.line)}${from(event.book)}, by ${event.capperHandle}.`;
    case 'closed':
      return `The last price before the start was ${signed(event.oddsAmerican)}${at(event.line)}${from(event.book)}: CLV ${signed(event.clvBps / 100)} %.`;
    case 'settled': {
      const score = event.awayScore === null ? '' : `; away ${event.awayScore}, home ${event.homeScore}`;
      return `Graded ${event.result}, ${signed(event.netUnits)} units${score}.`;
    }
  }
}

function at(line: number | null): string {
  return line === null ? '' : ` on ${signed(line)}`;
}

function from(book: string | null): string {
  return book === null ? '' : ` (${book})`;
}

function time(instant: string): Html {
  return html`<time datetime="${instant}">${utcText(instant)}</time>`;
}
