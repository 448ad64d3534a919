import { existsSync, readFileSync } from 'node:fs';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { hex } from '../../proof/encoding.ts';
import { writeDurably } from '../publishing/durable-file.ts';
import { fromTheBeginning } from './audit.ts';
import type { AuditState } from './steps.ts';

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0 });
const check = checker(
  Type.Object({
    version: Type.Literal(1),
    size: count,
    frontier: Type.Array(hash),
    /** By handle: number and hash of the last pick. */
    cappers: Type.Record(Type.String(), Type.Object({ seq: count, hash: Type.Union([hash, Type.Null()]) })),
    /** Unsettled picks by id: hash of the last event, and the pick's number among its capper's. */
    picks: Type.Record(Type.String(), Type.Object({ hash, capperSeq: count })),
    checkpoints: Type.Object({
      last: Type.Union([count, Type.Null()]),
      signer: count,
      witnessed: Type.Array(Type.String()),
      count,
    }),
  }),
);

/**
 * Reads the state of an audit in steps. If the file does not exist, the audit starts at the beginning of the log.
 * @throws Error if the file holds anything else, so that it is never overwritten
 */
export function readAuditState(file: string): AuditState {
  if (!existsSync(file)) return fromTheBeginning();
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `${file} cannot be read as the state of an audit: ${(error as Error).message}. Name another file`,
    );
  }
  const checked = check(given);
  if (!checked.ok)
    throw new Error(`${file} is not the state of an audit: ${faultsText(checked.faults)}. Name another file`);
  const { size, frontier, cappers, picks, checkpoints } = checked.value;
  return {
    frontier: { size, hashes: frontier.map((text) => Buffer.from(text, 'hex')) },
    chains: {
      cappers: new Map(Object.entries(cappers)),
      picks: new Map(Object.entries(picks).map(([id, last]) => [Number(id), last])),
    },
    passed: { ...checkpoints, witnessed: new Set(checkpoints.witnessed) },
  };
}

/** Replaces the file atomically and durably. */
export function writeAuditState(file: string, { frontier, chains, passed }: AuditState): void {
  const text = JSON.stringify({
    version: 1,
    size: frontier.size,
    frontier: frontier.hashes.map(hex),
    cappers: Object.fromEntries(chains.cappers),
    picks: Object.fromEntries(chains.picks),
    checkpoints: { ...passed, witnessed: [...passed.witnessed] },
  });
  writeDurably(file, `${text}\n`);
}
