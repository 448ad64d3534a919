import type { Transaction } from '../platform/database.ts';
import type { CoveredPick } from './extend-board-picks.ts';
import { tags } from './tags.ts';

interface TouchedPick extends Subject {
  kind: 'posted' | 'closed' | 'settled';
}

interface Subject {
  uuid: string;
  handle: string;
  sport: string;
  game: string;
}

/**
 * The tags to bump for the entries from `from` up to, not including, `to`, for picks that a checkpoint covers now, and for the changes of games and cappers noted in
 * `world_changes`, which are deleted.
 */
export async function touchedTags(
  transaction: Transaction,
  from: number,
  to: number,
  covered: readonly CoveredPick[] = [],
): Promise<string[]> {
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
    for (const tag of subjectTags(row)) touched.add(tag);
  }
  // A checkpoint changes what answers with these picks show, and the counts of late ones.
  for (const pick of covered) {
    touched.add(tags.posted);
    if (pick.settled) touched.add(tags.settled);
    for (const tag of subjectTags(pick)) touched.add(tag);
  }
  for (const tag of await worldTags(transaction)) touched.add(tag);
  return [...touched];
}

function subjectTags({ uuid, handle, sport, game }: Subject): string[] {
  return [tags.sport(sport), tags.capper(handle), tags.pick(uuid), tags.game(sport, game)];
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
