import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FontDetails } from '@takumi-rs/core';
import { lazy } from '../platform/once.ts';

export interface FontFile {
  family: string;
  path: string;
  /** First and last code point of each range in the file, consecutively; undefined: everything. */
  ranges: Uint32Array | undefined;
}

/** A family split by ranges of characters. @param weights one file each; `wght` is one file with all weights */
function fontsource(family: string, ranges: string, weights: readonly string[] = ['wght']): FontFile[] {
  const index = fileURLToPath(ranges);
  const folder = dirname(index);
  const name = basename(folder);
  const parts = JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>;
  return Object.entries(parts).flatMap(([part, text]) => {
    const ranges = Uint32Array.from(text.split(',').flatMap(rangeOf));
    return weights.map((weight) => ({
      family,
      path: join(folder, 'files', `${name}-${part.replace(/[[\]]/g, '')}-${weight}-normal.woff2`),
      ranges,
    }));
  });
}

/** Parses `U+4E00-9FFF` or `U+20` to two numbers. */
function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.trim().slice(2).split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** All fonts of cards, read for the first card. Other scripts show as empty boxes. */
const allFiles = lazy((): readonly FontFile[] => [
  ...fontsource('Source Serif 4', import.meta.resolve('@fontsource/source-serif-4/unicode.json'), ['600']),
  ...fontsource('Inter', import.meta.resolve('@fontsource/inter/unicode.json'), ['400', '600']),
  ...fontsource('Hebrew', import.meta.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json')),
  ...fontsource('Arabic', import.meta.resolve('@fontsource-variable/noto-sans-arabic/unicode.json')),
  ...fontsource('Thai', import.meta.resolve('@fontsource-variable/noto-sans-thai/unicode.json')),
  ...fontsource('Devanagari', import.meta.resolve('@fontsource-variable/noto-sans-devanagari/unicode.json')),
  ...fontsource('SC', import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json')),
  ...fontsource('JP', import.meta.resolve('@fontsource-variable/noto-sans-jp/unicode.json')),
  ...fontsource('KR', import.meta.resolve('@fontsource-variable/noto-sans-kr/unicode.json')),
  {
    family: 'Emoji',
    path: fileURLToPath(import.meta.resolve('twemoji-colr-font/twemoji.woff2')),
    ranges: undefined,
  },
]);

/** Reports whether every card needs a font: Latin letters and symbols. */
const isForAll = ({ path }: FontFile) => /\/(inter|source-serif-4)-latin-\d/.test(path);

const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;

/** Of a few hundred, a card needs three or four. */
export function fontFilesFor(text: string): FontFile[] {
  const points = [...new Set(text)].map((character) => character.codePointAt(0) as number);
  return allFiles().filter(
    (file) =>
      isForAll(file) || (file.ranges === undefined ? pictures.test(text) : covers(file.ranges, points)),
  );
}

function covers(ranges: Uint32Array, points: readonly number[]): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if (points.some((point) => point >= ranges[at]! && point <= ranges[at + 1]!)) return true;
  return false;
}

export async function readFont({ family, path, ranges }: FontFile): Promise<FontDetails> {
  const data = await readFile(path);
  if (ranges === undefined) return { name: family, data };
  const unicodeRange: [number, number][] = [];
  for (let at = 0; at < ranges.length; at += 2) unicodeRange.push([ranges[at]!, ranges[at + 1]!]);
  return { name: family, data, unicodeRange };
}
