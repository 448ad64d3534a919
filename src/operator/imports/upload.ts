import { basename, extname } from 'node:path';
import type { Context } from 'koa';
import { problem } from '../../http/answer.ts';

/** A file sent by a browser or program. */
export interface Upload {
  name: string;
  bytes: Buffer;
}

export const maxFileBytes = 8 * 2 ** 20;

/** Maximum size of the form around the file, in bytes. */
const maxAround = 64 * 1024;

/** Supported file extensions. */
export const fileTypes = ['.xlsx', '.csv', '.tsv', '.json', '.ndjson'] as const;

const maxName = 100;

const tooLarge = () =>
  problem(413, `The file is larger than ${maxFileBytes / 2 ** 20} MB. Split it, or use npm run ingest.`);

/**
 * Reads the file of a posted form (multipart/form-data, RFC 7578).
 * @throws Problem 400, 413, 415, 422
 */
export async function readUpload(ctx: Context): Promise<Upload> {
  if (typeof ctx.is('multipart/form-data') !== 'string')
    throw problem(415, 'Send the file in a form, as multipart/form-data.');
  const body = await readBounded(ctx, maxFileBytes + maxAround);
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': ctx.get('Content-Type') },
    }).formData();
  } catch {
    throw problem(400, 'The body is not a form.');
  }
  const file = form.get('file');
  if (file === null || typeof file === 'string' || file.size === 0)
    throw problem(422, 'Choose a file with at least one row.');
  if (file.size > maxFileBytes) throw tooLarge();
  const name = plainFileName(file.name);
  if (!fileTypes.some((type) => type === extname(name).toLowerCase()))
    throw problem(422, `${name} is not a supported file type. Save it as ${fileTypes.join(', ')}.`);
  return { name, bytes: Buffer.from(await file.arrayBuffer()) };
}

/** Reads a body. An oversized one is refused before it fills memory, and Node discards the rest. */
function readBounded({ req }: Context, limit: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        req.off('data', onData).pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    };
    req.on('data', onData);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', reject);
  });
}

/** Returns the last part of a path, without characters that could mislead people or the file system. */
function plainFileName(given: string): string {
  const name = basename(given.replaceAll('\\', '/'))
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}/]+/gu, ' ')
    .trim();
  const type = extname(name);
  return name.length <= maxName ? name : name.slice(0, maxName - type.length) + type;
}
