import type { Note } from './figures.ts';
import { serviceFolder } from './service.ts';

const starts = Number(process.env.STARTS ?? 3);

/** The time of `npm start` to its banner, and of Ctrl-C to the end, with everything installed. The first start creates the database. */
export async function bench(say: (line: string) => void, note: Note): Promise<void> {
  const folder = await serviceFolder();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  try {
    for (let number = 1; number <= 1 + starts; number += 1) {
      const service = await folder.start();
      const cpu = service.cpuSeconds().toFixed(1);
      const began = performance.now();
      await service.stop();
      const stopped = seconds(performance.now() - began);
      const aim = number === 1 ? {} : { aim: { atMost: 5 } };
      note({ name: `start ${number} to ready`, ours: service.readyMs / 1000, unit: 's', ...aim });
      say(`  ${cpu} CPU-seconds, stopped in ${stopped}`);
    }
  } finally {
    folder.remove();
  }
}
