import { lineText } from '../../boards/formats/pick-text.ts';
import type { PickEventBody } from '../../boards/picks/events.ts';
import { readFixture } from '../../games/names/title.ts';
import type { Settlement } from '../../ledger/grading/settlement.ts';
import { bookName } from '../../rules/book-words.ts';
import { ownValue } from '../../rules/own-value.ts';
import { bpsText, counted, odds, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { labelOf, plain } from '../labels.ts';
import { fullWhen } from '../times.ts';

type Settled = Extract<PickEventBody, { event: 'settled' }>;

interface Bet {
  sport: string;
  game: string;
  market: string;
}

export function lifeOf(events: readonly PickEventBody[], bet: Bet): Html {
  return html`<ol class="life">
${events.map(
  (event) => html`<li>
<h3>${labelOf('entry', event.event)}</h3>
<p class="note">${fullWhen(event.at)}${event.seq !== null && html` · log entry ${event.seq}`}</p>
<p>${detailsOf(event, bet, events[0]?.event === 'posted' ? events[0].line : null)}</p>
${event.hash !== null && html`<details class="hash"><summary>Hash</summary><code>${event.hash}</code></details>`}
</li>
`,
)}</ol>`;
}

/** Undefined while the pick is pending. */
export function gradedText(events: readonly PickEventBody[], bet: Bet): Html | undefined {
  const settled = events.find(({ event }) => event === 'settled');
  return settled && detailsOf(settled, bet, null);
}

/** @param taken the line at which the pick was posted; odds at another line cannot be compared with it */
function detailsOf(event: PickEventBody, bet: Bet, taken: number | null): Html {
  const at = (line: number | null) => (line === null ? '' : ` on a line of ${lineText(line, bet.market)}`);
  switch (event.event) {
    case 'posted':
      return html`${counted(event.stakeUnits, 'unit')} at ${odds(event.oddsAmerican)}${at(event.line)}${from(event.book)}, by ${event.capperHandle}.`;
    case 'closed':
      return html`Last odds before the start: ${odds(event.oddsAmerican)}${at(event.line)}${from(event.book)}. ${event.line === taken ? `Closing line value: ${bpsText(event.clvBps)}.` : 'The line had moved, so the two odds cannot be compared.'}`;
    case 'settled':
      return html`Graded as ${event.half ? 'half a' : 'a'} ${event.result}, ${signedText(event.netUnits, 2)} units${decidedBy(event, bet)}. <a href="${ruleOf(event)}">The rule</a>`;
  }
}

function decidedBy({ awayScore, homeScore, sets, stat, played, grader }: Settled, bet: Bet): Html {
  const { away, home } = readFixture(bet.game, bet.sport) ?? { away: 'away', home: 'home' };
  const isHalf = grader === 'first_half_score';
  const score =
    awayScore === null
      ? ''
      : html`. ${isHalf ? 'First-half' : 'Final'} score: <bdi>${away}</bdi> ${awayScore}, <bdi>${home}</bdi> ${homeScore}`;
  const games = sets === null ? '' : ` (${sets.map(([home, away]) => `${away}-${home}`).join(', ')})`;
  const absent = grader === 'stat' ? '. The player did not play' : '';
  const claim = grader === 'claim' ? '. The sheet says so, and no score confirms it' : '';
  const figure = stat === null ? absent : `. ${plain(stat.name)}: ${stat.value}`;
  return html`${score}${games}${claim}${figure}${played === 'shortened' && '. The game was shortened'}`;
}

/** Most specific rule first. */
function ruleOf({ grader, played, half }: Settled): string {
  const section =
    grader !== 'cancelled' && grader !== 'postponed' && played === 'shortened'
      ? 'shortened-games'
      : half && grader !== 'result' && grader !== 'claim'
        ? 'quarter-lines'
        : (ownValue<string>(sections, grader) ?? 'result-events');
  return section.startsWith('/') ? section : `/rules/grading#${section}`;
}

const sections: Readonly<Record<Settlement['grader'], string>> = {
  score: 'scores',
  first_half_score: 'scores',
  sets: 'units',
  stat: '/rules/player-markets#grading',
  result: 'result-events',
  claim: 'claims',
  cancelled: 'canceled-games',
  postponed: 'postponed-games',
};

function from(book: string | null): Html | string {
  return book === null ? '' : html` (<bdi>${bookName(book)}</bdi>)`;
}
