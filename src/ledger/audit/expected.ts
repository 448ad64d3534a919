import type { Difference } from '../difference.ts';

export interface Expectations {
  /** `AUDIT_EXPECTED`: findings that the operator expects, by name. `*` matches anything. */
  expected?: readonly string[];
  /** Called with each finding that is expected, and with what could not be compared. */
  onRemark?(remark: string): void;
}

/** Leaves out the findings that the operator expects. A finding of the catalog is named by its object, any other by table and row. */
export async function* unexpected(
  findings: AsyncIterable<Difference>,
  { expected = [], onRemark = () => {} }: Expectations,
): AsyncGenerator<Difference> {
  const patterns = expected.map(
    (pattern) => new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`),
  );
  for await (const finding of findings) {
    const { table, row, message } = finding;
    const name = table === 'catalog' ? row : `${table} ${row}`;
    if (patterns.some((pattern) => pattern.test(name))) onRemark(message);
    else yield finding;
  }
}
