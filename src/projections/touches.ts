import type { Transaction } from '../platform/database.ts';
import { tags } from './tags.ts';

/** What a stretch of the log, or a change in the world, was about. */
export interface BoardTouch {
  /** The tags to bump. */
  tags: string[];
  /** Whether a game's start or status, or a capper, changed. */
  world: boolean;
}

interface Touched {
  kind: 'posted' | 'closed' | 'settled';
  uuid: string;
  handle: string;
  sport: string;
  game: string;
}

/** Reads what the entries from `from` up to `to` were about, and takes away the changes of the world noted meanwhile. */
export async function readTouches(transaction: Transaction, from: number, to: number): Promise<BoardTouch> {
  const rows: Touched[] = await transaction('ledger_entries as e')
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
  const world = await worldTags(transaction);
  for (const tag of world) touched.add(tag);
  return { tags: [...touched], world: world.length > 0 };
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
