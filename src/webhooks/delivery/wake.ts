import type { Lane } from '../../jobs/declared.ts';
import type { Clock } from '../../platform/clock.ts';
import { cycleMs } from './cycle.ts';

/** Wakes the fanout at each minute of the service's clock, and lanes on request. While idle it costs one timer. */
export interface Wake {
  /** Wakes a lane once, in `ms` milliseconds. An earlier pending wake wins. */
  laneIn(lane: Lane, ms: number): void;
  stop(): void;
}

export function startWake(clock: Clock, { cycle, fill }: { cycle(): void; fill(lane: Lane): void }): Wake {
  const lanes = new Map<Lane, { at: number; timer: NodeJS.Timeout }>();
  let minute: NodeJS.Timeout;
  const nextMinute = () => {
    minute = setTimeout(
      () => {
        nextMinute();
        cycle();
      },
      cycleMs - (clock.now() % cycleMs),
    ).unref();
  };
  nextMinute();
  return {
    laneIn(lane, ms) {
      const at = performance.now() + ms;
      const set = lanes.get(lane);
      if (set !== undefined && set.at <= at) return;
      clearTimeout(set?.timer);
      const timer = setTimeout(() => {
        lanes.delete(lane);
        fill(lane);
      }, Math.ceil(ms)).unref();
      lanes.set(lane, { at, timer });
    },
    stop() {
      clearTimeout(minute);
      for (const { timer } of lanes.values()) clearTimeout(timer);
    },
  };
}
