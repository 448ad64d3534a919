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
   * @returns the ID
   * @throws KeyRefusal
   */
  revoke(by: By, handle: string, key: string): Promise<string>;
}

const name = Type.String({ minLength: 1, maxLength: 40 });
const checkKey = checker(
  Type.Object({ capperHandle: name, key: Type.String({ minLength: 16, maxLength: 80 }) }),
);
const checkCapper = checker(Type.Object({ capperHandle: name }));

/**
 * Reads a row of a form about keys.
 * @throws KeyRefusal that names missing fields
 */
export function keyRow(kind: 'invites' | 'revocations', row: unknown): { capperHandle: string; key: string } {
  const checked = kind === 'invites' ? checkCapper(row) : checkKey(row);
  if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
  return { key: '', ...checked.value };
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
    revoke: (by, handle, key) =>
      recorded({ ...by, action: 'revocations', about: `${handle}, ${key}`, rows: 1 }, async () => {
        const capper = await capperOf(handle);
        const wanted = key.replaceAll(/\s/g, '').toLowerCase();
        const found = (await keysOfCapper(database, capper.id)).find(
          ({ keyId }) => keyId === wanted || fingerprint(keyId).replaceAll(' ', '') === wanted,
        );
        if (found === undefined)
          throw new KeyRefusal('unknown', 'The capper has no such key. Check its ID or fingerprint.');
        await revokeKeyAsOperator(database, capper, found.keyId, await decisionTime(database, clock));
        void enqueue.add(seal, {});
        return found.keyId;
      }),
  };
}
