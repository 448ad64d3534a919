import { crc32, deflateRawSync } from 'node:zlib';

/** Returns a zip of files, packed like a spreadsheet's. `claim`: the unpacked size that its headers claim. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, claim?: number): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const raw = deflateRawSync(data);
    const title = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(raw.length, 14);
    fields.writeUInt32LE(claim ?? data.length, 18);
    fields.writeUInt16LE(title.length, 22);
    parts.push(Buffer.from([0x50, 0x4b, 3, 4]), fields, title, raw);
    const entry = Buffer.alloc(46);
    entry.set([0x50, 0x4b, 1, 2]);
    entry.writeUInt16LE(20, 4);
    fields.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, title);
    offset += 30 + title.length + raw.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.set([0x50, 0x4b, 5, 6]);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** A cell: a text, a number, a date as a serial number, or a formula with its cached value. */
export type XlsxCell = string | number | { serial: number } | { formula: string; value: number };

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** Returns the files of a workbook, by path. */
export function xlsxFiles(
  sheets: Readonly<Record<string, readonly (readonly XlsxCell[])[]>>,
): Record<string, string> {
  const names = Object.keys(sheets);
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  return {
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships">${names.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('')}${relation(names.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${head}<worksheet xmlns="${main}"><sheetData>${sheets[name]!.map((row, line) => `<row r="${line + 1}">${row.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${line + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`,
      ]),
    ),
  };
}

function cellXml(cell: XlsxCell, at: string): string {
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'string')
    return cell === ''
      ? ''
      : `<c r="${at}" t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
  if ('serial' in cell) return `<c r="${at}" s="1"><v>${cell.serial}</v></c>`;
  return `<c r="${at}"><f>${cell.formula}</f><v>${cell.value}</v></c>`;
}
