import { HOUR } from './days.ts';
import { gameKey, instant } from './identity.ts';
import type { GameRow, StatRow } from './read.ts';

/** One statistic of a player: the first value given, and when. */
export interface KnownStat {
  name: string;
  value: number;
  at: number;
}

interface Player {
  spelling: string;
  stats: KnownStat[];
}

const rowFields = ['sport', 'game', 'startsAt', 'player', 'played', 'finalAt'];

/** Returns letters and digits, without case and accents. */
const plainName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Returns a name without Jr. and the like, and whether it had one. */
function withoutSuffix(text: string): { name: string; hadOne: boolean } {
  const name = text.replace(/[ ,]+(jr|sr|ii|iii|iv)\.?$/i, '');
  return { name: plainName(name), hadOne: name !== text };
}

/** Returns the player of a list that a name means: the same name, or the only one that differs by an omitted suffix. */
function meant(players: Player[], name: string): Player | undefined {
  const same = players.filter((each) => plainName(each.spelling) === plainName(name));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const own = withoutSuffix(name);
  const close = players.filter((each) => {
    const other = withoutSuffix(each.spelling);
    return other.name === own.name && !(own.hadOne && other.hadOne);
  });
  return close.length === 1 ? close[0] : undefined;
}

/** Returns the statistics of the players of every game, found by game and name. */
export function statsKnown(
  rows: StatRow[],
  games: Map<string, GameRow>,
): (game: string, name: string) => KnownStat[] {
  const players = new Map<string, Player[]>();
  for (const row of rows) {
    const key = gameKey(row);
    const game = games.get(key);
    if (!game) throw new Error(`unknown game: ${JSON.stringify(row)}`);
    const start = instant(game.movedTo ?? game.startsAt);
    const at =
      instant(row.finalAt) ?? instant(game.finalAt) ?? (start === null ? Number.NaN : start + 3 * HOUR);
    const list = players.get(key) ?? [];
    players.set(key, list);
    let player = meant(list, row.player);
    if (!player) {
      player = { spelling: row.player, stats: [] };
      list.push(player);
    }
    for (const [name, value] of valuesOf(row))
      if (!player.stats.some((known) => known.name === name)) player.stats.push({ name, value, at });
  }
  return (game, name) => meant(players.get(game) ?? [], name)?.stats ?? [];
}

/** Returns the statistics of a row. A player with any has played, unless the row or one of them says otherwise. */
function valuesOf(row: StatRow): [string, number][] {
  const values: [string, number][] = [];
  for (const [field, value] of Object.entries(row))
    if (!rowFields.includes(field) && typeof value === 'number')
      values.push([field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]);
  const hasFigures = values.some(([name]) => ['minutes', 'plate_appearances', 'pitches'].includes(name));
  if (typeof row.played === 'boolean') values.push(['played', row.played ? 1 : 0]);
  else if (values.length > 0 && !hasFigures) values.push(['played', 1]);
  return values;
}
