import type { Difference } from '../difference.ts';

export interface Expectations {
  /** `AUDIT_EXPECTED`: names of findings that the operator expects. `*` matches anything. */
  expected?: readonly string[];
  /** Called with each expected finding, and with a remark on each comparison that was not possible. */
  onRemark?(remark: string): void;
}

/** Filters out expected findings. Findings of the catalog are named by object, others by table and row. */
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
