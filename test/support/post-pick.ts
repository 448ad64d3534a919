import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { type Posted, postPicks } from '../../src/ledger/posting/post-picks.ts';
import type { Database } from '../../src/platform/database.ts';

export async function postPick(
  database: Database,
  row: PickRow,
  key: string | undefined,
  now: number,
): Promise<Posted> {
  const [posted] = await postPicks(database, [{ row, key }], now);
  return posted!;
}
