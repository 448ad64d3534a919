import { counted } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { pictured } from '../parts/figures-table.ts';
import { dayText, shortDayText } from '../times.ts';

export interface ResultsDay {
  day: string;
  wins: number;
  losses: number;
  pushes: number;
  voids: number;
}

const pitch = 24;
const cell = 20;
const left = 34;
const top = 18;

/** Draws daily results as a calendar, one column per week: green for winning days, hollow red for losing days. */
export function heatStrip(days: readonly ResultsDay[]): Html {
  const first = weekday(days[0]?.day ?? '');
  const weeks = Math.ceil((first + days.length) / 7);
  const cellAt = (index: number) => ({
    x: left + Math.floor((first + index) / 7) * pitch,
    y: top + ((first + index) % 7) * pitch,
  });
  const won = days.reduce((sum, { wins }) => sum + wins, 0);
  const lost = days.reduce((sum, { losses }) => sum + losses, 0);
  const picture = html`<svg class="chart calendar" viewBox="0 0 ${left + weeks * pitch} ${top + 7 * pitch}" role="img" aria-label="${`Results over ${counted(days.length, 'day')}, one column per week: ${counted(won, 'win')}, ${counted(lost, 'loss', 'losses')}.`}">
<g class="axis">${['Mon', 'Wed', 'Fri'].map((name, index) => html`<text x="${left - 6}" y="${top + (1 + 2 * index) * pitch + 15}" text-anchor="end">${name}</text>`)}${days.map(
    ({ day }, index) =>
      (day.endsWith('-01') || (index === 0 && Number(day.slice(8)) < 24)) &&
      html`<text x="${cellAt(index).x}" y="11">${shortDayText(day).slice(0, 3)}</text>`,
  )}</g>
${days.map((day, index) => square(day, cellAt(index)))}
</svg>
<figcaption><span class="key key-up">more wins than losses</span> <span class="key key-down">more losses than wins</span> <span class="key key-level">even</span> <span class="key key-idle">no results</span></figcaption>`;
  return pictured(picture, {
    caption: 'Results by day; days without results are omitted',
    columns: ['Day (ET)', 'Wins', 'Losses', 'Pushes', 'Voids'],
    rows: days
      .filter((day) => settled(day) > 0)
      .map(({ day, wins, losses, pushes, voids }) => [shortDayText(day), wins, losses, pushes, voids]),
  });
}

function square(day: ResultsDay, { x, y }: { x: number; y: number }): Html {
  const kind = kindOf(day);
  return html`<rect class="day day-${kind}" x="${x}" y="${y}" width="${cell}" height="${cell}" rx="3">${
    kind !== 'idle' && html`<title>${dayText(day.day)}: ${day.wins}–${day.losses}–${day.pushes}</title>`
  }</rect>${kind.startsWith('down') && html`<rect class="hollow" x="${x + 6}" y="${y + 6}" width="8" height="8" rx="1.5"/>`}`;
}

function kindOf(day: ResultsDay): string {
  if (settled(day) === 0) return 'idle';
  const ahead = day.wins - day.losses;
  if (ahead === 0) return 'level';
  // Three shades: by one, by two or three, and by more.
  const size = Math.abs(ahead) === 1 ? 1 : Math.abs(ahead) <= 3 ? 2 : 3;
  return `${ahead > 0 ? 'up' : 'down'}-${size}`;
}

function settled({ wins, losses, pushes, voids }: ResultsDay): number {
  return wins + losses + pushes + voids;
}

/** Returns the weekday; 0 is Sunday. */
function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}
