import type { Status } from '../../status/check.ts';
import type { Rounds } from '../../status/history.ts';
import { type Html, html } from '../html.ts';

/** A day of a check's history: its worst status, or undefined without measurements. */
export interface ShownDay {
  day: string;
  status: Status | undefined;
}

export function dayStatus(rounds: Rounds | undefined): Status | undefined {
  if (rounds === undefined || rounds.ok + rounds.degraded + rounds.down === 0) return undefined;
  return rounds.down > 0 ? 'down' : rounds.degraded > 0 ? 'degraded' : 'ok';
}

const step = 4;
const tallest = 20;

/** The height also shows the status, so color is not needed. */
const kinds = [
  { status: undefined, name: 'unmeasured', height: 4 },
  { status: 'ok', name: 'ok', height: 11 },
  { status: 'degraded', name: 'degraded', height: 16 },
  { status: 'down', name: 'down', height: tallest },
] as const;

/** Draws a bar per day, oldest first, with a label in words. */
export function historyBars(days: readonly ShownDay[]): Html {
  const total = days.length * step;
  const count = (status: Status | undefined) => days.filter((day) => day.status === status).length;
  const label = `${days.length} days: ${count('ok')} OK, ${count('degraded')} degraded, ${count('down')} down, ${count(undefined)} not measured`;
  return html`<svg class="days" role="img" aria-label="${label}" viewBox="0 0 ${total} ${tallest}" width="${total}" height="${tallest}">${kinds.map(
    ({ status, name, height }) => {
      const path = runsOf(days, status)
        .map(([from, length]) => `M${from * step} ${tallest - height / 2}h${length * step - 1}`)
        .join('');
      return path !== '' && html`<path class="${name}" stroke-width="${height}" d="${path}"/>`;
    },
  )}</svg>`;
}

/** Returns runs of consecutive days with one status. Each is one thick line, which the stylesheet cuts into days. */
function runsOf(days: readonly ShownDay[], status: Status | undefined): [from: number, length: number][] {
  const runs: [from: number, length: number][] = [];
  for (const [index, day] of days.entries()) {
    if (day.status !== status) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === index) last[1] += 1;
    else runs.push([index, 1]);
  }
  return runs;
}
