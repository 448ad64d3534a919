import type { Transaction } from '../platform/database.ts';
import { tags } from './tags.ts';

interface TouchedPick {
  kind: 'posted' | 'closed' | 'settled';
  uuid: string;
  handle: string;
  sport: string;
  game: string;
}

/**
 * The tags to bump for the entries from `from` up to, not including, `to`, and for the changes of games and cappers noted in
 * `world_changes`, which are deleted.
 */
export async function touchedTags(transaction: Transaction, from: number, to: number): Promise<string[]> {
  const rows: TouchedPick[] = await transaction('ledger_entries as e')
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .join('games as g', 'g.id', 'b.game_id')
    .where('e.seq', '>=', from)
    .where('e.seq', '<', to)
    .select({
      kind: 'e.kind',
      uuid: 'e.uuid',
      handle: 'e.capper',
      sport: 'b.sport',
      game: 'g.name',
    });
  const touched = new Set<string>();
  for (const row of rows) {
    touched.add(tags[row.kind]);
    touched.add(tags.sport(row.sport));
    touched.add(tags.capper(row.handle));
    touched.add(tags.pick(row.uuid));
    touched.add(tags.game(row.sport, row.game));
  }
  for (const tag of await worldTags(transaction)) touched.add(tag);
  return [...touched];
}

async function worldTags(transaction: Transaction): Promise<string[]> {
  const changes: { subject: 'game' | 'capper'; subject_id: number }[] = await transaction('world_changes')
    .delete()
    .returning(['subject', 'subject_id']);
  if (changes.length === 0) return [];
  const ids = (subject: string) => [
    ...new Set(changes.filter((change) => change.subject === subject).map(({ subject_id }) => subject_id)),
  ];
  const handles: string[] = await transaction('cappers').whereIn('id', ids('capper')).pluck('handle');
  const games: { sport: string; name: string }[] = await transaction('games')
    .whereIn('id', ids('game'))
    .select('sport', 'name');
  return [
    tags.world,
    ...handles.map((handle) => tags.capper(handle)),
    ...games.map(({ sport, name }) => tags.game(sport, name)),
  ];
}
