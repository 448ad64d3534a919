import { findCappers } from '../cappers/cappers.ts';
import { KeyRefusal, makeInvite, revokeKeyAsOperator } from '../cappers/key-changes.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { seal } from '../jobs/sealing.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { iso } from '../platform/clock.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { Action, Actions, Outcome } from './actions.ts';
import type { PostingDeps } from './posting.ts';

type By = Pick<Action, 'operator' | 'requestId'>;

/** An invitation to register a key. The link has the token in its fragment, which browsers do not send. */
interface Invitation {
  link: string;
  expiresAt: string;
}

/** IDs of a revoked key, and of keys that it had added. */
interface Revoked {
  revoked: string;
  additions?: string[];
}

/** Operations of operators on cappers' keys. Each call is recorded as an action. */
export interface CapperKeys {
  /**
   * Creates an invitation.
   * @throws KeyRefusal for an unknown capper
   */
  invite(by: By, handle: string): Promise<Invitation>;
  /**
   * Revokes a key in the operator's name, which the log entry records.
   * @param key its ID or fingerprint
   * @param withAdditions whether to revoke all keys that it added, too; the key itself may then be revoked already
   * @throws KeyRefusal
   */
  revoke(by: By, handle: string, key: string, withAdditions?: boolean): Promise<Revoked>;
}

const name = Type.String({ minLength: 1, maxLength: 40 });
const checkKey = checker(
  Type.Object({
    capperHandle: name,
    key: Type.String({ minLength: 16, maxLength: 80 }),
    additions: Type.Optional(Type.Boolean()),
  }),
);
const checkCapper = checker(Type.Object({ capperHandle: name }));

/**
 * Reads a row of a form about keys.
 * @throws KeyRefusal that names missing fields
 */
export function keyRow(
  kind: 'invites' | 'revocations',
  row: unknown,
): { capperHandle: string; key: string; additions: boolean } {
  const checked = kind === 'invites' ? checkCapper(row) : checkKey(row);
  if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
  return { key: '', additions: false, ...checked.value };
}

export function createCapperKeys(
  { database, clock, config, enqueue }: PostingDeps,
  actions: Actions,
): CapperKeys {
  async function recorded<T>(action: Action, work: () => Promise<T>): Promise<T> {
    const id = await actions.begin(action);
    const ended = (outcome: Omit<Outcome, 'index'>) => actions.end(id, [{ index: 0, ...outcome }]);
    try {
      const done = await work();
      await ended({ outcome: 'added' });
      return done;
    } catch (error) {
      if (error instanceof KeyRefusal) await ended({ outcome: 'refused', reason: error.message });
      throw error;
    }
  }

  async function capperOf(handle: string) {
    const wanted = handle.toLowerCase();
    const capper = (await findCappers(database, [wanted])).get(wanted);
    if (capper === undefined) throw new KeyRefusal('unknown', `No capper is named ${handle}.`);
    return capper;
  }

  return {
    invite: (by, handle) =>
      recorded({ ...by, action: 'invites', about: handle, rows: 1 }, async () => {
        const capper = await capperOf(handle);
        const { token, expiresAt } = await makeInvite(
          database,
          capper.id,
          await decisionTime(database, clock),
        );
        return {
          link: `${config.site.baseUrl}/join#${capper.handle}.${token}`,
          expiresAt: iso(expiresAt),
        };
      }),
    revoke: (by, handle, key, withAdditions) =>
      recorded({ ...by, action: 'revocations', about: `${handle}, ${key}`, rows: 1 }, async () => {
        const capper = await capperOf(handle);
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
      }),
  };
}
