import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { boards } from '../../src/boards/index.ts';
import type { RowKind } from '../../src/intake/kind.ts';
import { kindNames, kinds } from '../../src/intake/kinds.ts';
import { columnOf, headersOf, labelOf, sheetFields } from '../../src/sheets/columns.ts';
import { declarations } from '../../src/status/index.ts';

/** Returns a section for each check, for docs/operations.md. */
export function runbookSections(): string {
  return declarations
    .map(
      ({ name, runbook: { means, readers, lookAt, first } }) =>
        `### ${name}\n\n- **Means:** ${means}\n- **Readers:** ${readers}\n- **Look at:** ${lookAt}\n- **First:** ${first}`,
    )
    .join('\n\n');
}

/** Returns a Markdown table. `|` within cells is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export const code = (text: string) => `\`${text}\``;

interface Floor {
  floor: string;
  /** The lowest first. */
  rooms: { room: string; owns: string; unaware?: string }[];
}

/** Returns the table of rooms by which imports are checked, the highest first, for ARCHITECTURE.md. */
export function roomsTable(): string {
  const file = resolve(import.meta.dirname, '..', '..', 'floors.json');
  const floors: Floor[] = JSON.parse(readFileSync(file, 'utf8'));
  return table(
    ['floor', 'room', 'what it owns', 'what it does not know'],
    floors
      .toReversed()
      .flatMap(({ floor, rooms }) =>
        rooms
          .toReversed()
          .map(({ room, owns, unaware = '' }, index) => [
            index === 0 ? floor : '',
            code(room),
            owns,
            unaware,
          ]),
      ),
  );
}

export function boardsTable(): string {
  return table(
    ['path', 'parameters', 'what it is', 'lifetime'],
    boards.map(({ path, params, about, lifetime }) => {
      const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
      const query = Object.keys(params.properties).filter((name) => !inPath.has(name));
      return [code(path), query.map(code).join(' '), about, `${lifetime} s`];
    }),
  );
}

/** Returns the table of kinds of rows, for docs/rules/intake.md. */
export function rowsTable(): string {
  return table(
    ['rows', 'fields', 'the same again'],
    kindNames.map((kind) => {
      const { fields, schema, identity } = kinds[kind] as RowKind;
      const { required = [] } = schema as { required?: string[] };
      const names = Object.entries(fields).map(([name, { onlyInFiles }]) => {
        const isNeeded = required.includes(name) || onlyInFiles === true;
        return `${code(`${name}${isNeeded ? '' : '?'}`)}${onlyInFiles === true ? ' (only in files)' : ''}`;
      });
      return [code(kind), names.join(' '), identity];
    }),
  );
}

/** Returns the table of the columns of sheets, for docs/rules/intake.md. */
export function columnsTable(): string {
  return table(
    ['field', 'what it is', 'headers', 'its cells'],
    sheetFields.map((field) => {
      const { refusedIfYes, refusedIfNo, noted } = columnOf(field);
      const says = [
        refusedIfYes === undefined ? [] : `a yes refuses the row: ${refusedIfYes}`,
        refusedIfNo === undefined ? [] : `a no refuses the row: ${refusedIfNo('No', 'The column')}`,
        noted === undefined ? [] : 'noted, unless it says no',
      ].flat();
      return [code(field), labelOf(field), headersOf(field).join(', '), says.join('; ')];
    }),
  );
}

/** Returns the table of boards' other formats: feeds and calendars. */
export function formatsTable(): string {
  return table(
    ['path', 'of', 'content type', 'lifetime'],
    boards.flatMap(({ path: of, formats = [] }) =>
      formats.map(({ path, contentType, lifetime }) => [
        code(path),
        code(of),
        contentType.split(';')[0] as string,
        `${lifetime} s`,
      ]),
    ),
  );
}

/** The table of what the log does not determine, by reason, for docs/rules/ledger.md. */
export function beyondTable(): string {
  const all = boards.flatMap(({ path, beyondLog }) =>
    Object.entries(beyondLog).map(([field, why]) => ({
      why,
      place: field === '' ? `\`${path}\`` : `\`${path}\` ${field}`,
    })),
  );
  return table(
    ['answer', 'reason'],
    [...Map.groupBy(all, ({ why }) => why)].map(([why, places]) => [
      places.map(({ place }) => place).join(', '),
      why,
    ]),
  );
}
