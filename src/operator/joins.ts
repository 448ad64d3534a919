import { sportTag } from '../boards/formats/pick-text.ts';
import type { Game } from '../games/game.ts';
import { putPlayerAlias, subjectForm } from '../games/names/players.ts';
import { JoinRefused, joinGames, type Twins } from '../games/twins.ts';
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
import type { Action, Actions } from './actions.ts';
import { hidden, type Problems, readField } from './fields.ts';
import type { PostingDeps } from './posting.ts';
import { fieldsStep, reviewStep, type Step, type StepContext } from './steps.ts';

const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, must: 'the number of a game' });
const checkRow = checker(Type.Object({ game: number, other: number }));
const checkPlayers = checker(
  Type.Object(
    { sport: slug, alias: plainText(1, 100), player: plainText(1, 100) },
    { additionalProperties: false },
  ),
);

const hint = 'The number in the address of its page.';

export async function joinStep({ path, values }: StepContext): Promise<Step> {
  const title = 'Join two games';
  const problems: Problems = new Map();
  const fields = [
    { name: 'game', label: 'Game', hint, keys: 'numeric' as const },
    { name: 'other', label: 'The same game again', hint, keys: 'numeric' as const },
  ];
  if (values.review !== undefined) {
    const [game, other] = fields.map((field) =>
      readField(problems, values, field, (text) =>
        /^[1-9]\d{0,14}$/.test(text) ? { value: Number(text) } : { fault: 'Enter the number of a game.' },
      ),
    );
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row: { game, other }, submit: 'Join', back: { game: values.game, other: values.other } },
        warning: 'The join becomes an entry in the log. It cannot be undone.',
        details: fields.map(({ name, label }) => [label, values[name]!]),
      });
  }
  return fieldsStep({ path, values }, { title, heading: 'Games', problems, fields, kept: { review: 'yes' } });
}

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

/** Joins the games or players of a row in the name of an operator, and describes the outcome. */
export async function joinByOperator(
  by: Pick<Action, 'operator' | 'requestId'>,
  row: unknown,
  { database, clock, enqueue }: PostingDeps,
  actions: Actions,
): Promise<{ refused: boolean; message: string }> {
  const players = checkPlayers(row);
  if (players.ok) {
    const { sport, alias, player } = players.value;
    const id = await actions.begin({ ...by, action: 'joins', about: `${alias} and ${player}`, rows: 1 });
    await putPlayerAlias(database, { sport, alias: subjectForm(alias), player: subjectForm(player) });
    await actions.end(id, [{ index: 0, outcome: 'added' }]);
    return { refused: false, message: `In ${sport}, ${alias} now means ${player}.` };
  }
  const checked = checkRow(row);
  if (!checked.ok) return { refused: true, message: `${faultsText(checked.faults)}.` };
  const { game, other } = checked.value;
  const id = await actions.begin({ ...by, action: 'joins', about: `games ${game} and ${other}`, rows: 1 });
  try {
    const now = await decisionTime(database, clock);
    const { from, to, alias } = await database.transaction((transaction) =>
      joinGames(transaction, game, other, now),
    );
    await actions.end(id, [{ index: 0, outcome: 'added' }]);
    for (const job of [seal, gradeDueJob]) void enqueue.add(job, {});
    const learned = alias === undefined ? '' : ` "${alias.alias}" now means "${alias.team}".`;
    return { refused: false, message: `${from.name} is now ${to.name}.${learned}` };
  } catch (error) {
    if (!(error instanceof JoinRefused)) throw error;
    await actions.end(id, [{ index: 0, outcome: 'refused', reason: error.message }]);
    return { refused: true, message: error.message };
  }
}
