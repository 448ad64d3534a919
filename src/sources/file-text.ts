import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** Number of bytes in which the encoding and the first line are detected. */
const headBytes = 16_384;

export interface FileHead {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  firstLine: string;
}

/** Reads the start of a text file. UTF-16 is detected by its byte order mark or by a zero byte beside the first ASCII character. */
export async function headOf(path: string): Promise<FileHead> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const encoding = encodingOf(buffer.subarray(0, bytesRead));
    const text = new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead));
    const [firstLine = ''] = text.trimStart().split(/[\r\n]/, 1);
    return { encoding, firstLine };
  } finally {
    await file.close();
  }
}

function encodingOf([first, second]: Buffer): FileHead['encoding'] {
  if (second !== undefined && ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return 'utf-16be';
  return 'utf-8';
}

/** Decodes a file, without its byte order mark. Invalid bytes become U+FFFD. */
export async function* decoded(
  stream: ReadStream,
  encoding: FileHead['encoding'],
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of stream) yield decoder.decode(bytes as Buffer, { stream: true });
  yield decoder.decode();
}
