import { capper } from './capper.ts';
import { game } from './game.ts';
import type { RowKind } from './kind.ts';
import { notice } from './notice.ts';
import { pick } from './pick.ts';
import { price } from './price.ts';
import { result } from './result.ts';
import { stats } from './stats.ts';

/** Kinds of rows by the plural under which doors know them: paths, names of files, actions. Later kinds refer to earlier ones. */
export const kinds = {
  cappers: capper,
  games: game,
  lines: price,
  picks: pick,
  results: result,
  stats,
  notices: notice,
} as const satisfies Record<string, RowKind>;
export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];

export type FileKind = Exclude<KindName, 'notices'>;
export const fileKinds = kindNames.filter((kind): kind is FileKind => kind !== 'notices');
