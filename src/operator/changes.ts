import { findCappers } from '../cappers/cappers.ts';
import { KeyRefusal, makeInvite, revokeKeyAsOperator } from '../cappers/key-changes.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { playerAliases } from '../games/names/aliases.ts';
import { subjectForm } from '../games/names/players.ts';
import { JoinRefused, joinGames } from '../games/twins.ts';
import { booleanCell, numberCell } from '../intake/cells.ts';
import { type Fields, type RowOf, schemaOf } from '../intake/kind.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { fullText } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { plainText, slug } from '../platform/fields.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { Actions, By } from './actions.ts';
import type { FormKind } from './form.ts';
import type { PostingDeps } from './posting.ts';

export interface ChangeDeps extends PostingDeps {
  actions: Actions;
}

/** A change that is not a row: of keys, and joins. */
interface Change<Row, Done> extends FormKind {
  /** The action that is recorded. */
  action: string;
  /** A short summary of its subject. */
  about(row: Row): string;
  /** @throws KeyRefusal, JoinRefused */
  make(row: Row, deps: ChangeDeps): Promise<Done>;
  /** Describes the change after it was made. */
  said(done: Done, row: Row): string;
}

/** Declares a change by its fields. */
function changeOf<const F extends Fields, Done>(
  fields: F,
  change: Omit<Change<RowOf<F>, Done>, keyof FormKind>,
): Change<RowOf<F>, Done> {
  const schema = schemaOf(fields, { additionalProperties: false });
  return { ...change, fields, schema, check: checker(schema) };
}

/** Reports whether an error says why a change is not made, in a sentence for its requester. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof KeyRefusal || error instanceof JoinRefused;

/** Records a change, and makes it. Refusals are recorded and thrown. */
export async function makeChange<Row, Done>(
  { action, about, make }: Change<Row, Done>,
  by: By,
  row: Row,
  deps: ChangeDeps,
): Promise<Done> {
  const { actions } = deps;
  const id = await actions.begin({ ...by, action, about: about(row), rows: 1 });
  try {
    const done = await make(row, deps);
    await actions.end(id, [{ index: 0, outcome: 'added' }]);
    return done;
  } catch (error) {
    if (isRefusal(error)) await actions.end(id, [{ index: 0, outcome: 'refused', reason: error.message }]);
    throw error;
  }
}

export const byForm =
  <Row, Done>(change: Change<Row, Done>) =>
  async (by: By, value: unknown, deps: ChangeDeps): Promise<string> => {
    const checked = change.check(value);
    if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
    const row = checked.value as Row;
    return change.said(await makeChange(change, by, row, deps), row);
  };

const capperHandle = { schema: Type.String({ minLength: 1, maxLength: 40 }), about: 'Handle of the capper.' };

async function capperNamed(database: Database, handle: string) {
  const wanted = handle.toLowerCase();
  const capper = (await findCappers(database, [wanted])).get(wanted);
  if (capper === undefined) throw new KeyRefusal('unknown', `No capper is named ${handle}.`);
  return capper;
}

/** Creates an invitation to register a key. The link has the token in its fragment, which browsers do not send. */
export const invitation = changeOf(
  { capperHandle },
  {
    action: 'invites',
    about: ({ capperHandle }) => capperHandle,
    async make({ capperHandle }, { database, clock, config }) {
      const capper = await capperNamed(database, capperHandle);
      const { token, expiresAt } = await makeInvite(database, capper.id, await decisionTime(database, clock));
      return { link: `${config.site.baseUrl}/join#${capper.handle}.${token}`, expiresAt: iso(expiresAt) };
    },
    said: ({ link, expiresAt }, { capperHandle }) =>
      `Send this link to ${capperHandle}. It works once, until ${fullText(expiresAt)}: ${link}`,
  },
);

/** Revokes a key in the operator's name, which the log entry records. @returns its ID, and those of the keys that it had added */
export const revocation = changeOf(
  {
    capperHandle,
    key: { schema: Type.String({ minLength: 16, maxLength: 80 }), about: 'Its ID or fingerprint.' },
    additions: {
      schema: Type.Optional(Type.Boolean()),
      about: 'Whether to revoke all keys that it added, too. The key itself may then be revoked already.',
      label: 'also all keys that it added',
      hint: 'Directly or through others, as for a stolen device.',
      cell: booleanCell,
    },
  },
  {
    action: 'revocations',
    about: ({ capperHandle, key }) => `${capperHandle}, ${key}`,
    async make({ capperHandle, key, additions: withAdditions = false }, { database, clock, enqueue }) {
      const capper = await capperNamed(database, capperHandle);
      const wanted = key.replaceAll(/\s/g, '').toLowerCase();
      const found = (await keysOfCapper(database, capper.id)).find(
        ({ keyId }) => keyId === wanted || fingerprint(keyId).replaceAll(' ', '') === wanted,
      );
      if (found === undefined)
        throw new KeyRefusal('unknown', 'The capper has no such key. Check its ID or fingerprint.');
      const now = await decisionTime(database, clock);
      const revoked = await revokeKeyAsOperator(database, capper, found.keyId, now, withAdditions);
      void enqueue.add(seal, {});
      const additions = revoked.filter((id) => id !== found.keyId);
      return { revoked: found.keyId, ...(withAdditions ? { additions } : {}) };
    },
    said({ revoked, additions = [] }) {
      const more = additions.length === 0 ? '' : ` So are ${additions.join(', ')}, which it had added.`;
      return `Key ${revoked} is revoked.${more}`;
    },
  },
);

const idField = (label: string) => ({
  schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, must: 'the number of a game' }),
  about: 'ID of a game.',
  label,
  hint: 'The number in the address of its page.',
  cell: numberCell,
});

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
