import { seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { plainText } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { type Fields, type RowKind, type RowOf, schemaOf } from './kind.ts';

const fields = {
  text: {
    schema: plainText(1, 1000),
    about: 'A sentence for visitors. It becomes a permanent entry in the log.',
    label: 'notice',
    hint: 'A sentence for visitors. At most 1,000 characters, without line breaks.',
    cell: null,
  },
} satisfies Fields;

const schema = schemaOf(fields);

export const notice: RowKind<RowOf<typeof fields>> = {
  title: 'NoticeRow',
  about: 'Adds notices to the log.',
  identity: 'none; each is an entry of the log',
  example: { text: 'Prices of March 3 came late.' },
  fields,
  schema,
  check: checker(schema),
  async apply(transaction, rows, { now }) {
    const texts = rows.map(({ text }) => text);
    await recordNotices(transaction, 'remark', texts, now);
    return rows.map(() => ({ outcome: 'added' }));
  },
  wakes: [seal as Job],
};
