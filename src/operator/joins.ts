import { sportTag } from '../boards/formats/pick-text.ts';
import type { Game } from '../games/game.ts';
import { putPlayerAlias, subjectForm } from '../games/names/players.ts';
import { JoinRefused, joinGames, type Twins } from '../games/twins.ts';
import { numberCell } from '../intake/columns.ts';
import { schemaOf } from '../intake/kind.ts';
import { gradeDueJob } from '../jobs/grading.ts';
import { seal } from '../jobs/sealing.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { type Html, html } from '../pages/html.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { UnpricedPlayer } from '../sources/waiting.ts';
import type { By } from './actions.ts';
import { type ChangeDeps, recorded } from './changes.ts';
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
const checkGames = checker(schema);
const checkPlayers = checker(
  Type.Object(
    { sport: slug, alias: plainText(1, 100), player: plainText(1, 100) },
    { additionalProperties: false },
  ),
);

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

/** Renders two games that look like one, with a button that joins them. */
export function twinsLines({ to, from }: Twins): Html[] {
  const line = ({ sport, name, startsAt }: Game) =>
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt!))}`;
  const row = JSON.stringify({ game: to.id, other: from.id });
  return [
    line(to),
    line(from),
    html`<form class="step" method="post" action="/forms/joins">${hidden({ row, key: `${to.id}-${from.id}` })}<button type="submit">Join</button></form>`,
  ];
}

/** Renders a player whom the price list does not name, with a button for each name that can be meant. */
export function unpricedLines({ sport, name, startsAt, player, near }: UnpricedPlayer): (Html | string)[] {
  return [
    html`${sportTag(sport)}: ${name}, ${fullWhen(iso(startsAt))}`,
    near.length === 0 ? 'No similar name has a price.' : 'The same player in the price list?',
    ...near.map((alias) => {
      const row = JSON.stringify({ sport, alias, player });
      return html`<form class="step" method="post" action="/forms/joins">${hidden({ row, key: `${sport}-${alias}`.slice(0, 60) })}<button type="submit">${alias}</button></form>`;
    }),
  ];
}

/**
 * Joins the games or players of a row in the name of an operator, and describes the outcome.
 * @throws JoinRefused
 */
export async function joinByOperator(
  by: By,
  row: unknown,
  { database, clock, enqueue, actions }: ChangeDeps,
): Promise<string> {
  const players = checkPlayers(row);
  if (players.ok) {
    const { sport, alias, player } = players.value;
    await recorded(actions, { ...by, action: 'joins', about: `${alias} and ${player}` }, () =>
      putPlayerAlias(database, { sport, alias: subjectForm(alias), player: subjectForm(player) }),
    );
    return `In ${sport}, ${alias} now means ${player}.`;
  }
  const checked = checkGames(row);
  if (!checked.ok) throw new JoinRefused(`${faultsText(checked.faults)}.`);
  const { game, other } = checked.value;
  const { from, to, alias } = await recorded(
    actions,
    { ...by, action: 'joins', about: `games ${game} and ${other}` },
    async () => {
      const now = await decisionTime(database, clock);
      return database.transaction((transaction) => joinGames(transaction, game, other, now));
    },
  );
  for (const job of [seal, gradeDueJob]) void enqueue.add(job, {});
  const learned = alias === undefined ? '' : ` "${alias.alias}" now means "${alias.team}".`;
  return `${from.name} is now ${to.name}.${learned}`;
}
