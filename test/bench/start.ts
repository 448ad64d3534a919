import { serviceFolder } from './service.ts';

const starts = Number(process.env.STARTS ?? 3);

/** How long `npm start` takes to its banner, and Ctrl-C to the end, where everything is installed; the first start makes the database. */
export async function bench(say: (line: string) => void): Promise<void> {
  const folder = await serviceFolder();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  try {
    for (let number = 1; number <= 1 + starts; number += 1) {
      const service = await folder.start();
      const cpu = service.cpuSeconds().toFixed(1);
      const began = performance.now();
      await service.stop();
      const stopped = seconds(performance.now() - began);
      const aim = number === 1 ? '' : '   (aim: 3 s)';
      say(`start ${number}   ${seconds(service.readyMs)}   ${cpu} CPU-seconds, stopped in ${stopped}${aim}`);
    }
  } finally {
    folder.remove();
  }
}
