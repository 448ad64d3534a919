import { CopiedRow } from '../../src/record/copied-row.ts';

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** A row with these cells, as `COPY` writes it. */
export function copiedRow(cells: readonly (string | null)[]): CopiedRow {
  const escaped = (cell: string) => cell.replace(/[\\\b\f\n\r\t\v]/g, (character) => escapes[character]!);
  const texts = cells.map((cell) => (cell === null ? '\\N' : escaped(cell)));
  const row = new CopiedRow();
  row.read(Buffer.from(`${texts.join('\t')}\n`));
  return row;
}
