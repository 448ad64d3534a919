import { sportTag } from '../boards/formats/pick-text.ts';
import type { Game } from '../games/game.ts';
import { playerAliases } from '../games/names/aliases.ts';
import { subjectForm } from '../games/names/players.ts';
import { joinGames, type Twins } from '../games/twins.ts';
import { numberCell } from '../intake/cells.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { type Html, html } from '../pages/html.ts';
import { hidden } from '../pages/parts/fields.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { plainText, slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import type { UnpricedPlayer } from '../sources/waiting.ts';
import { byForm, changeOf } from './changes.ts';

const idField = (label: string) => ({
  schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, must: 'the number of a game' }),
  about: 'ID of a game.',
  label,
  hint: 'The number in the address of its page.',
  cell: numberCell,
});

function joinButton(row: object, key: string, label: string): Html {
  const fields = { row: JSON.stringify(row), key: key.slice(0, 60) };
  return html`<form class="step" method="post" action="/forms/joins">${hidden(fields)}<button type="submit">${label}</button></form>`;
}

/** Renders two games that look like one, with a button that joins them. */
export function twinsLines({ to, from }: Twins): Html[] {
  const line = ({ sport, name, startsAt }: Game) =>
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt!))}`;
  return [line(to), line(from), joinButton({ game: to.id, other: from.id }, `${to.id}-${from.id}`, 'Join')];
}

/** Renders a player whom the price list does not name, with a button for each name that can be meant. */
export function unpricedLines({ sport, name, startsAt, player, near }: UnpricedPlayer): (Html | string)[] {
  return [
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt))}`,
    near.length === 0 ? 'No similar name has a price.' : 'The same player in the price list?',
    ...near.map((alias) => joinButton({ sport, alias, player }, `${sport}-${alias}`, alias)),
  ];
}

const name = { schema: plainText(1, 100), about: 'Name of a player.' };

const playersJoin = changeOf(
  { sport: { schema: slug, about: 'Key of the sport.' }, alias: name, player: name },
  {
    action: 'joins',
    about: ({ alias, player }) => `${alias} and ${player}`,
    make: ({ sport, alias, player }, { database }) =>
      playerAliases.put(database, { sport, alias: subjectForm(alias), player: subjectForm(player) }),
    said: (_done, { sport, alias, player }) => `In ${sport}, ${alias} now means ${player}.`,
  },
);

export const gamesJoin = changeOf(
  { game: idField('game'), other: idField('the same game again') },
  {
    action: 'joins',
    about: ({ game, other }) => `games ${game} and ${other}`,
    async make({ game, other }, { database, clock, enqueue }) {
      const now = await decisionTime(database, clock);
      const joined = await database.transaction((transaction) => joinGames(transaction, game, other, now));
      for (const job of [seal, gradeDueJob]) void enqueue.add(job, {});
      return joined;
    },
    said({ from, to, alias }) {
      const learned = alias === undefined ? '' : ` "${alias.alias}" now means "${alias.team}".`;
      return `${from.name} is now ${to.name}.${learned}`;
    },
  },
);

/** Joins the games or players of a row in the name of an operator. */
export const joinByForm: ReturnType<typeof byForm> = (by, row, deps) =>
  playersJoin.check(row).ok ? byForm(playersJoin)(by, row, deps) : byForm(gamesJoin)(by, row, deps);
