import type { Note } from './figures.ts';
import { type RunningService, serviceFolder } from './service.ts';

/**
 * The time of `npm start` to its banner, and of Ctrl-C to the end, with everything installed. The first start creates the database.
 * @param options.meanwhile runs between each start and its end
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  {
    starts = 1 + Number(process.env.STARTS ?? 3),
    settings = {},
    meanwhile = async () => {},
  }: {
    starts?: number;
    settings?: Readonly<Record<string, string>>;
    meanwhile?: (service: RunningService) => Promise<void>;
  } = {},
): Promise<void> {
  const folder = await serviceFolder(settings);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  try {
    for (let number = 1; number <= starts; number += 1) {
      const service = await folder.start();
      const cpu = service.cpuSeconds().toFixed(1);
      let began = Number.NaN;
      try {
        await meanwhile(service);
      } finally {
        began = performance.now();
        await service.stop();
      }
      const stopped = seconds(performance.now() - began);
      const aim = number === 1 ? {} : { aim: { atMost: 5 } };
      note({ name: `start ${number} to ready`, ours: service.readyMs / 1000, unit: 's', ...aim });
      say(`  ${cpu} CPU-seconds, stopped in ${stopped}`);
    }
  } finally {
    folder.remove();
  }
}
