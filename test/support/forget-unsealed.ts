import type { Database } from '../../src/platform/database.ts';

/** Empties the list of unsealed events, or removes those of one subject. The database otherwise refuses that. */
export async function forgetUnsealed(owner: Database, subjectId?: number): Promise<void> {
  await owner.transaction(async (transaction) => {
    await transaction.raw('alter table unsealed_events disable trigger check_unsealed_removed');
    await transaction('unsealed_events')
      .where(subjectId === undefined ? {} : { subject_id: subjectId })
      .delete();
    await transaction.raw('alter table unsealed_events enable always trigger check_unsealed_removed');
  });
}
