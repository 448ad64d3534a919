import { sportTag } from '../boards/formats/pick-text.ts';
import type { Game } from '../games/game.ts';
import { putPlayerAlias, subjectForm } from '../games/names/players.ts';
import { joinGames, type Twins } from '../games/twins.ts';
import { numberCell } from '../intake/columns.ts';
import { schemaOf } from '../intake/kind.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { type Html, html } from '../pages/html.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { UnpricedPlayer } from '../sources/waiting.ts';
import { byForm, type Change } from './changes.ts';
import { hidden } from './fields.ts';
import { type FormKind, inputOf, rowStep, type Step, type StepContext } from './row-form.ts';

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, must: 'the number of a game' });
const idField = (label: string) => ({
  schema: id,
  about: 'ID of a game.',
  label,
  hint: 'The number in the address of its page.',
  cell: numberCell,
});
const fields = { game: idField('game'), other: idField('the same game again') };
const schema = schemaOf(fields);
const joined: FormKind = { fields, schema, check: checker(schema) };

export const joinStep = (context: StepContext): Promise<Step> =>
  rowStep(context, {
    kind: joined,
    heading: 'Games',
    fields: [inputOf(joined, 'game'), inputOf(joined, 'other')],
    review: () => ({
      submit: 'Join',
      warning: 'The join becomes an entry in the log. It cannot be undone.',
    }),
  });

/** Renders a button that makes a join at once. */
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

const checkPlayers = checker(
  Type.Object(
    { sport: slug, alias: plainText(1, 100), player: plainText(1, 100) },
    { additionalProperties: false },
  ),
);

const playersJoin: Change<{ sport: string; alias: string; player: string }, void> = {
  action: 'joins',
  check: checkPlayers,
  about: ({ alias, player }) => `${alias} and ${player}`,
  make: ({ sport, alias, player }, { database }) =>
    putPlayerAlias(database, { sport, alias: subjectForm(alias), player: subjectForm(player) }),
  said: (_done, { sport, alias, player }) => `In ${sport}, ${alias} now means ${player}.`,
};

const gamesJoin: Change<{ game: number; other: number }, Awaited<ReturnType<typeof joinGames>>> = {
  action: 'joins',
  check: checker(schema),
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
};

/** Joins the games or players of a row in the name of an operator. */
export const joinByForm: ReturnType<typeof byForm> = (by, row, deps) =>
  checkPlayers(row).ok ? byForm(playersJoin)(by, row, deps) : byForm(gamesJoin)(by, row, deps);
