import { join } from 'node:path';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { announceSigningKey, ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { startWitness } from '../../src/monitor/witness.ts';
import type { Database } from '../../src/platform/database.ts';
import { formatVerifierKey, type VerifierKey } from '../../src/proof/verifier-key.ts';
import { league } from './folders.ts';
import { season } from './season.ts';
import { ingest, runPipeline } from './whole-way.ts';

export const origin = 'picks.example/ledger';
const seed = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const midway = Date.parse('2024-10-06T19:00:00Z');
const later = Date.parse('2025-01-01T00:00:00Z');

/** A published log with everything in it: several checkpoints, cosigned ones, notices, and a key rotation. */
export interface RichLog {
  /** Signs with the newest key. */
  publisher: Publisher & { key: string; checkpointFile: string };
  keys: VerifierKey[];
  witness: VerifierKey;
  now: number;
}

/**
 * @param folder for the checkpoint file, the witness's state, and rows to import
 * @param games the number of games of a fictional season, each with about six entries
 */
export async function richLog(
  database: Database,
  folder: { path(): string; write(name: string, rows: readonly object[]): string },
  games = 24,
): Promise<RichLog> {
  const first = await ledgerSigner(origin, seed(9));
  const second = await ledgerSigner(origin, seed(10));
  const state = join(folder.path(), 'witness.json');
  const log = [first, second].map(({ key }) => formatVerifierKey(key));
  const witness = await startWitness({ log, port: 0, host: '127.0.0.1', state, name: 'witness.example/w1' });
  const checkpointFile = join(folder.path(), 'checkpoint');
  let publisher: RichLog['publisher'] = {
    baseUrl: 'https://picks.example',
    demo: false,
    key: seed(9),
    checkpointFile,
    store: fileStore(checkpointFile),
  };
  const goOn = async (now: number) => {
    await runPipeline(database, now);
    await publishCheckpoint(database, publisher, now);
  };
  try {
    await ingest(database, league, midway);
    await goOn(midway);
    publisher = { ...publisher, witnesses: [{ key: witness.key, url: witness.address }] };
    const rows = season(games, 6);
    // Repeats the teams, so that two games have one name.
    for (const list of Object.values(rows))
      for (const row of list as { game?: string }[])
        if (row.game !== undefined) row.game = `Away ${Number(row.game.split(' ')[1]) % 12} @ Home`;
    const files = Object.entries(rows).map(([kind, list]) => folder.write(`${kind}.ndjson`, list));
    await ingest(database, files, midway);
    await goOn(midway);
    await database('notices').insert({ at: new Date(midway), topic: 'remark', text: 'The first remark.' });
    await goOn(midway);
    await announceSigningKey(database, origin, first, second, new Date(midway).toISOString());
    await goOn(midway);
    publisher = { ...publisher, key: seed(10) };
    await ingest(database, league, later);
    await goOn(later);
    await database('notices').insert({ at: new Date(later), topic: 'remark', text: 'The second remark.' });
    await goOn(later);
  } finally {
    await witness.close();
  }
  return {
    publisher: { ...publisher, witnesses: [] },
    keys: [first.key, second.key],
    witness: witness.key,
    now: later,
  };
}
