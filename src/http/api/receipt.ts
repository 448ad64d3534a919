import { coded } from '../../answers/coded.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { receiptOf } from '../../ledger/publishing/published.ts';
import { Field } from '../../platform/field-schemas.ts';
import type { Read } from '../../platform/replica.ts';
import { Type } from '../../platform/type.ts';
import { patterns } from '../../rules/vocabulary.ts';
import { problem } from '../answer.ts';
import { described, type Route } from '../routes.ts';
import { receiptSchema } from './ledger-schemas.ts';

const uuids = new RegExp(patterns.uuid);

/** Without an envelope, because fields beside a receipt would be unproven. */
export function receiptRoute({ read }: { read: Read }): Route {
  return described({
    path: '/api/picks/:uuid/receipt',
    lifetime: lifetimes.board,
    id: 'getPickReceipt',
    section: 'record',
    about: 'The receipt of a pick: the hashed bodies, their hashes, and the proof that they are in the log.',
    params: Type.Object({ uuid: Field.uuid('The UUID of a pick.') }),
    answer: { schema: receiptSchema },
    refusals: {
      404: 'There is no such pick.',
      503: 'The ledger is unavailable. Try again after Retry-After.',
    },
    examples: [{ uuid: '{uuid}' }],
    async handle({ params }) {
      const uuid = String(params.uuid).toLowerCase();
      const receipt = uuids.test(uuid) ? await read((database) => receiptOf(database, uuid)) : undefined;
      if (receipt === undefined) throw problem(404, `There is no pick ${JSON.stringify(uuid)}.`);
      const answer = coded(JSON.stringify(receipt));
      // The pick is sealed within seconds.
      if (receipt.hashStatus === 'unhashed') return { ...answer, lifetime: 10 };
      // A receipt changes until the pick has settled.
      if (receipt.settlement === null) return answer;
      return { ...answer, key: `/api/picks/${uuid}/receipt`, keep: {} };
    },
  });
}
