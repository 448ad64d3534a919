import { findCappers } from '../cappers/cappers.ts';
import { KeyRefusal, makeInvite, revokeKeyAsOperator } from '../cappers/key-changes.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { booleanCell } from '../intake/cells.ts';
import { seal } from '../jobs/declared.ts';
import { decisionTime } from '../ledger/log-kind.ts';
import { fullText } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Type } from '../platform/type.ts';
import { fingerprint } from '../proof/capper-key.ts';
import { changeOf } from './changes.ts';

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
