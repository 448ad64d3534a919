import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Tier = 'elite' | 'verified_sharp' | 'listed';
export type Result = 'win' | 'loss' | 'push' | 'void';

export interface CapperRow {
  handle: string;
  tier: Tier;
  verified: boolean;
}

export interface GameRow {
  sport: string;
  game: string;
  startsAt?: string | null;
  /** The Eastern date of a game of which only that was announced. */
  day?: string | null;
  movedTo?: string | null;
  status: 'scheduled' | 'final' | 'postponed' | 'cancelled';
  homeScore?: number | null;
  awayScore?: number | null;
  homeHalfScore?: number | null;
  awayHalfScore?: number | null;
  sets?: [number, number][] | null;
  played?: 'full' | 'shortened' | null;
  /** The number of periods played; 8.5 means eight and a half innings. */
  periods?: number | null;
  /** The first start that passed and was moved afterwards. */
  heldStart?: string | null;
  finalAt?: string | null;
}

export interface LineRow {
  sport: string;
  game: string;
  startsAt?: string | null;
  market: string;
  subject?: string | null;
  side: string;
  line?: number | null;
  oddsAmerican: number;
  capturedAt: string;
  closing?: boolean | null;
  book: string;
  /** Entered by a person. Default: true. */
  byHand?: boolean;
  /** When the service stored it. Default: before every start. */
  storedAt?: string | null;
}

export interface PickRow {
  capperHandle: string;
  sport: string;
  game: string;
  startsAt?: string | null;
  market: string;
  subject?: string | null;
  side: string;
  line?: number | null;
  pick: string;
  oddsAmerican: number;
  stakeUnits: number;
  book?: string | null;
  source?: string | null;
  postedAt: string;
  /** Its claim. Not part of its identity. */
  result?: Result | null;
  half?: boolean | null;
  /** At post time. Default: the capper's tier today. */
  tier?: Tier;
  /** The start as of the posting. Default: the announced one. */
  startPosted?: string | null;
  /** Default: imported. */
  provenance?: 'live' | 'imported';
  /** Whether its author signed it. Default: no. */
  signed?: boolean;
}

export interface ResultRow {
  sport: string;
  game: string;
  startsAt?: string | null;
  market: string;
  subject?: string | null;
  side: string;
  line?: number | null;
  result: Result;
  half?: boolean | null;
  finalAt?: string | null;
}

/** A player's figures in a game, each statistic under its JSON field (`passingYards`). */
export interface StatRow {
  sport: string;
  game: string;
  startsAt?: string | null;
  player: string;
  played?: boolean | null;
  finalAt?: string | null;
  [statistic: string]: string | number | boolean | null | undefined;
}

/** The contents of the files in one folder. All rows are assumed to be valid. */
export interface Rows {
  cappers: CapperRow[];
  games: GameRow[];
  lines: LineRow[];
  picks: PickRow[];
  results: ResultRow[];
  stats: StatRow[];
  /** Games that are one fixture: `to` continues. Their scores and prices stand under both. Default: none. */
  joins?: { from: GameName; to: GameName }[];
}

type GameName = Pick<GameRow, 'sport' | 'game' | 'startsAt'>;

function readRows<Row>(folder: string, name: string): Row[] {
  const file = join(folder, `${name}.ndjson`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text) as Row);
}

/** Returns every row of a folder's `.ndjson` files. A missing file has no rows. */
export function readFolder(folder: string): Rows {
  return {
    cappers: readRows(folder, 'cappers'),
    games: readRows(folder, 'games'),
    lines: readRows(folder, 'lines'),
    picks: readRows(folder, 'picks'),
    results: readRows(folder, 'results'),
    stats: readRows(folder, 'stats'),
  };
}

/** Returns the folder of the real data (`REAL_DATA`, by default `../shared/data`), or null if it is absent. */
export function realDataFolder(): string | null {
  const project = resolve(import.meta.dirname, '../..');
  const folder = join(resolve(project, process.env.REAL_DATA ?? '../shared/data'), 'real');
  return existsSync(join(folder, 'picks.ndjson')) ? folder : null;
}
