import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Note } from './figures.ts';
import { growthLedgers } from './growth/ledgers.ts';
import { measure, type Rounds } from './growth/measure.ts';
import { withoutPrefix } from './growth/without.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** The most that the largest ledger may cost, relative to the smallest, and the milliseconds below which a difference is noise. */
const aim = 1.5;
const noise = 2;

/**
 * The cost of each board, receipt, export page, quiet cycle, and settlement in ledgers of 100 thousand and a million picks. `GROWTH_PICKS`
 * sets other sizes, such as `100000,10000000`. `GROWTH_ONLY`, a regular expression, selects some. Writes the query plans of missed targets
 * into the data folder, `bench/growth-plans.txt`.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  {
    dataDir = resolve(root, process.env.DATA_DIR || '.data'),
    sizes = (process.env.GROWTH_PICKS || '100000,1000000').split(',').map(Number),
    openLedgers = growthLedgers,
    rounds = {},
  }: {
    dataDir?: string;
    sizes?: readonly number[];
    openLedgers?: typeof growthLedgers;
    rounds?: Rounds;
  } = {},
): Promise<void> {
  const only = new RegExp(process.env.GROWTH_ONLY || '');
  const ledgers = await openLedgers(dataDir, say);
  try {
    const urls: string[] = [];
    for (const size of sizes) urls.push(await ledgers.open(size));
    const measured = await measure(urls, (name) => only.test(name), rounds);
    const rows = [...measured[0]!.keys()].map((name) => {
      const ms = measured.map((each) => each.get(name)!.ms);
      const ratio = ms.at(-1)! / ms[0]!;
      const aimed = !name.startsWith(withoutPrefix);
      return { name, ms, aimed, missed: aimed && ratio > aim && ms.at(-1)! - ms[0]! > noise };
    });
    say(`ours: ${sizes.at(-1)} picks; baseline: ${sizes[0]} picks; differences below ${noise} ms are noise`);
    for (const { name, ms, aimed } of rows)
      note({
        name,
        ours: ms.at(-1)!,
        baseline: ms[0]!,
        unit: 'ms',
        ...(aimed && { aim: { atMost: aim } }),
      });
    mkdirSync(join(dataDir, 'bench'), { recursive: true });
    const plans: string[] = [];
    for (const { name } of rows.filter((row) => row.missed))
      plans.push(`# ${name}`, ...(await measured.at(-1)!.get(name)!.explain()), '');
    const file = join(dataDir, 'bench', 'growth-plans.txt');
    if (plans.length === 0) rmSync(file, { force: true });
    else writeFileSync(file, plans.join('\n'));
  } finally {
    await ledgers.stop();
  }
}
