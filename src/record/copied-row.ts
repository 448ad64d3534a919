const tab = 9;
const newline = 10;
const minus = 45;
const zero = 48;
const backslash = 92;
const [null1, null2] = [backslash, 78];

/**
 * A row as `COPY ... TO STDOUT` writes it in its text format: cells between tabs and a newline at the end; null is `\N`, and within texts a
 * backslash stands before what would be one of these. Cells are numbered from 0. One object serves for all rows of a query: a string per
 * value would cost more than all the rest of an export.
 */
export class CopiedRow {
  bytes: Uint8Array = new Uint8Array();
  /** Where each cell begins, and where one after the last would. */
  readonly #starts = new Int32Array(32);

  /** @param bytes of one row, with its newline */
  read(bytes: Uint8Array): void {
    this.bytes = bytes;
    let cell = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === tab || byte === newline) this.#starts[++cell] = at + 1;
    }
  }

  start(cell: number): number {
    return this.#starts[cell]!;
  }

  end(cell: number): number {
    return this.#starts[cell + 1]! - 1;
  }

  isNull(cell: number): boolean {
    const start = this.start(cell);
    return this.end(cell) === start + 2 && this.bytes[start] === null1 && this.bytes[start + 1] === null2;
  }

  /** The number in a cell of digits, perhaps with a minus sign. */
  integer(cell: number): number {
    const start = this.start(cell);
    const isNegative = this.bytes[start] === minus;
    let value = 0;
    for (let at = isNegative ? start + 1 : start; at < this.end(cell); at += 1)
      value = 10 * value + this.bytes[at]! - zero;
    return isNegative ? -value : value;
  }

  /** The text of a cell that is not null. */
  text(cell: number): string {
    const text = Buffer.from(this.bytes.subarray(this.start(cell), this.end(cell))).toString();
    return text.includes('\\') ? text.replace(/\\(.)/gs, (_, escaped) => meant[escaped] ?? escaped) : text;
  }
}

const meant: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
