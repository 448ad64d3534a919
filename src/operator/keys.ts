import { findCappers } from '../cappers/cappers.ts';
import { KeyRefusal, makeInvite, revokeKeyAsOperator } from '../cappers/key-changes.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { seal } from '../jobs/sealing.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { fullText } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { By } from './actions.ts';
import { type ChangeDeps, recorded } from './changes.ts';

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

async function capperNamed(database: Database, handle: string) {
  const wanted = handle.toLowerCase();
  const capper = (await findCappers(database, [wanted])).get(wanted);
  if (capper === undefined) throw new KeyRefusal('unknown', `No capper is named ${handle}.`);
  return capper;
}

/**
 * Creates an invitation.
 * @throws KeyRefusal for an unknown capper
 */
export function inviteCapper(
  by: By,
  handle: string,
  { database, clock, config, actions }: ChangeDeps,
): Promise<Invitation> {
  return recorded(actions, { ...by, action: 'invites', about: handle }, async () => {
    const capper = await capperNamed(database, handle);
    const { token, expiresAt } = await makeInvite(database, capper.id, await decisionTime(database, clock));
    return {
      link: `${config.site.baseUrl}/join#${capper.handle}.${token}`,
      expiresAt: iso(expiresAt),
    };
  });
}

/**
 * Revokes a key in the operator's name, which the log entry records.
 * @param key its ID or fingerprint
 * @param withAdditions whether to revoke all keys that it added, too; the key itself may then be revoked already
 * @throws KeyRefusal
 */
export function revokeKey(
  by: By,
  { handle, key, withAdditions }: { handle: string; key: string; withAdditions: boolean },
  { database, clock, enqueue, actions }: ChangeDeps,
): Promise<Revoked> {
  return recorded(actions, { ...by, action: 'revocations', about: `${handle}, ${key}` }, async () => {
    const capper = await capperNamed(database, handle);
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
  });
}

const name = Type.String({ minLength: 1, maxLength: 40 });
const checkInvite = checker(Type.Object({ capperHandle: name }));
const checkRevocation = checker(
  Type.Object({
    capperHandle: name,
    key: Type.String({ minLength: 16, maxLength: 80 }),
    additions: Type.Optional(Type.Boolean()),
  }),
);

/** Creates an invitation by a form. @throws KeyRefusal */
export async function inviteByForm(by: By, row: unknown, deps: ChangeDeps): Promise<string> {
  const checked = checkInvite(row);
  if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
  const { capperHandle } = checked.value;
  const { link, expiresAt } = await inviteCapper(by, capperHandle, deps);
  return `Send this link to ${capperHandle}. It works once, until ${fullText(expiresAt)}: ${link}`;
}

/** Revokes a key by a form. @throws KeyRefusal */
export async function revokeByForm(by: By, row: unknown, deps: ChangeDeps): Promise<string> {
  const checked = checkRevocation(row);
  if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
  const { capperHandle: handle, key, additions: withAdditions = false } = checked.value;
  const { revoked, additions = [] } = await revokeKey(by, { handle, key, withAdditions }, deps);
  const more = additions.length === 0 ? '' : ` So are ${additions.join(', ')}, which it had added.`;
  return `Key ${revoked} is revoked.${more}`;
}
