import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { MonitorState } from './follow.ts';

const hex = Type.String({ pattern: '^[0-9a-f]{64}$' });
const check = checker(
  Type.Object({
    version: Type.Literal(1),
    origin: Type.String(),
    trusted: Type.Array(Type.String(), { minItems: 1 }),
    announcements: Type.Array(Type.String()),
    seen: Type.Union([
      Type.Null(),
      Type.Object({
        size: Type.Integer({ minimum: 0 }),
        root: hex,
        frontier: Type.Array(hex),
        checkpoint: Type.String(),
      }),
    ]),
    cappers: Type.Record(Type.String(), Type.Integer({ minimum: 1 })),
    open: Type.Record(
      Type.String(),
      Type.Object({
        capper: Type.String(),
        number: Type.Integer({ minimum: 1 }),
        kind: Type.Union([Type.Literal('posted'), Type.Literal('closed')]),
        hash: hex,
        seq: Type.Integer({ minimum: 0 }),
        pickHash: hex,
        game: Type.Optional(Type.String()),
        startsAt: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        scored: Type.Optional(Type.Boolean()),
        overdue: Type.Optional(Type.Boolean()),
      }),
    ),
    polledAt: Type.Optional(Type.Integer()),
    games: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({
          starts: Type.Array(Type.Integer()),
          closedAt: Type.Optional(Type.Integer()),
          left: Type.Optional(Type.Object({ start: Type.Integer(), at: Type.Integer(), by: Type.String() })),
          last: Type.Optional(
            Type.Object({ uuid: Type.String(), capper: Type.String(), at: Type.Integer() }),
          ),
          ended: Type.Optional(Type.Literal(true)),
        }),
      ),
    ),
    origins: Type.Array(Type.String(), { minItems: 1 }),
    authors: Type.Record(
      Type.String(),
      Type.Object({
        capper: Type.String(),
        key: Type.String(),
        purpose: Type.Union([Type.Literal('device'), Type.Literal('recovery')]),
        seq: Type.Integer({ minimum: 0 }),
        revokedSeq: Type.Optional(Type.Integer({ minimum: 0 })),
        nonces: Type.Array(Type.String()),
      }),
    ),
    scores: Type.Record(
      Type.String(),
      Type.Object({ away: Type.Integer(), home: Type.Integer(), seenAt: Type.Integer() }),
    ),
    promises: Type.Record(Type.String(), Type.Union([Type.Literal('kept'), Type.Literal('broken')])),
  }),
);

/**
 * Reads a monitor's state.
 * @returns null if the file does not exist
 * @throws Error if the file has other content, so that it is never overwritten
 */
export function readState(file: string): MonitorState | null {
  if (!existsSync(file)) return null;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as a monitor's state: ${(error as Error).message}`);
  }
  const checked = check(given);
  if (!checked.ok) throw new Error(`${file} is not a monitor's state: ${faultsText(checked.faults)}`);
  return checked.value as MonitorState;
}

/** Replaces the file atomically and durably: after a crash it has either the old state or the new one. */
export function writeState(file: string, state: MonitorState): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o644);
  try {
    writeSync(handle, `${JSON.stringify(state)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
