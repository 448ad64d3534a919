import { v5 } from 'uuid';
import { findCappers } from '../../cappers/cappers.ts';
import { findGames, gameKey, moneylineWays } from '../../games/game.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../../games/row-outcome.ts';
import { instant } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import type { NewPick } from '../pick.ts';
import { givenPick, givenText } from '../pick-forms.ts';
import { type ImportedPickRow, refusal } from './pick-row.ts';
import { storePicks } from './store-picks.ts';

/** The namespace of imported picks' uuids (RFC 9562, section 5.5). Changing it would import every pick a second time. */
export const importNamespace = 'b2f6d6a4-3c0e-4d43-9d0c-5f2f5a3d7c11';

/**
 * Imports picks of the past. A pick's uuid is derived from all its fields, so the same row again changes nothing; one posted after the
 * service's clock is left out.
 * @param database a transaction
 */
export async function importPicks(
  database: Database,
  rows: readonly ImportedPickRow[],
  { now }: Intake,
): Promise<RowOutcome[]> {
  const ways = await moneylineWays(database);
  const cappers = await findCappers(
    database,
    rows.map((row) => row.capperHandle),
  );
  const games = await findGames(database, rows);
  const outcomes: RowOutcome[] = [];
  const picks = new Map<string, { pick: NewPick; index: number }>();
  rows.forEach((row, index) => {
    const postedAt = instant(row.postedAt);
    const capper = cappers.get(row.capperHandle.toLowerCase());
    const game = games.get(gameKey(row));
    const reason = refusal(row, capper, game, ways, postedAt);
    if (reason !== undefined) outcomes[index] = refused(reason);
    else if (postedAt > now) outcomes[index] = leftOut(`posted after ${new Date(now).toISOString()}`);
    else if (capper !== undefined && game !== undefined) {
      const pick = importedPick(row, capper, game, postedAt);
      outcomes[index] = unchanged;
      if (!picks.has(pick.uuid)) picks.set(pick.uuid, { pick, index });
    }
  });
  const fresh = await storePicks(
    database,
    [...picks.values()].map(({ pick }) => pick),
  );
  for (const uuid of fresh.keys()) outcomes[picks.get(uuid)!.index] = added;
  return outcomes;
}

/** An imported pick as it is stored. */
export function importedPick(
  row: ImportedPickRow,
  capper: { id: number; tier: Tier },
  game: { id: number },
  postedAt: number,
): NewPick {
  return {
    ...givenPick(row),
    // Of a text, the library makes bytes one character at a time.
    uuid: v5(Buffer.from(givenText(row)), importNamespace),
    capperId: capper.id,
    tier: capper.tier,
    gameId: game.id,
    source: row.source ?? 'import',
    provenance: 'imported',
    postedAt,
  };
}
