import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Board, BoardContext, BoardFormat } from '../boards/board.ts';
import { answerData } from '../boards/envelope.ts';
import { iso } from '../platform/clock.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import type { Rendered } from './rendered.ts';

const brotli = promisify(brotliCompress);
const gunzippable = promisify(gzip);

/** What is to be rendered: a board, or one of its further formats, for effective parameters. */
export interface Target {
  board: Board;
  format: BoardFormat | undefined;
  params: Record<string, unknown>;
  key: string;
  tags: readonly string[];
}

/** Names a target: what two requests share that get the same answer. */
export function targetOf(
  board: Board,
  params: Record<string, unknown>,
  format: BoardFormat | undefined = undefined,
): Target {
  const path = format?.path ?? board.path;
  return { board, format, params, key: keyOf(path, params), tags: board.tags(params) };
}

/** A path with all its parameters filled in, those of the query in order of their names. */
export function keyOf(path: string, params: Record<string, unknown>): string {
  const query = new Map(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(query.get(name)));
    query.delete(name);
    return value;
  });
  const names = [...query.keys()].filter((name) => query.get(name) !== undefined).sort();
  if (names.length === 0) return filled;
  return `${filled}?${names.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`).join('&')}`;
}

/**
 * Computes a target and finishes it to bytes. The versions and the epoch are those that were read before.
 * @returns also whether it may be kept
 * @throws whatever the board's computation throws
 */
export async function render(
  target: Target,
  context: BoardContext,
  { versions, epoch }: Pick<Rendered, 'versions' | 'epoch'>,
): Promise<{ rendered: Rendered; mayKeep: boolean }> {
  const { board, format, params, key, tags } = target;
  const body = await board.compute(context, params);
  const data = JSON.stringify(answerData(board, params, body));
  const text =
    format === undefined
      ? `{"generatedAt":"${iso(context.now)}",${data.slice(1)}`
      : format.render(body, { ...withoutDatabase(context), params });
  const lifetime = format?.lifetime ?? board.lifetime;
  const rendered: Rendered = {
    key,
    contentType: format?.contentType ?? 'application/json; charset=utf-8',
    lifetime,
    generatedAt: context.now,
    goodUntil: Math.min(context.now + lifetime * 1000, nextEtDay(context.now)),
    etag: entityTag(data),
    tags,
    versions,
    epoch,
    bytes: await inCodings(text),
  };
  return { rendered, mayKeep: board.keep?.(body) ?? true };
}

function withoutDatabase({ now, baseUrl, helpLine, sports }: BoardContext): Omit<BoardContext, 'database'> {
  return { now, baseUrl, helpLine, sports };
}

/** When the next ET day begins: slates and windows are other ones from then on. */
function nextEtDay(now: number): number {
  return etDayStart(addDays(etDay(now), 1));
}

function entityTag(data: string): string {
  return `W/"${createHash('sha256').update(data).digest('base64url').slice(0, 27)}"`;
}

/** Brotli at a middle quality: an answer is compressed as often as it changes, not once. */
async function inCodings(text: string): Promise<Rendered['bytes']> {
  const identity = Buffer.from(text);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 5, [zlib.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [gzipped, br] = await Promise.all([gunzippable(identity), brotli(identity, { params })]);
  return { identity, gzip: gzipped, br };
}
