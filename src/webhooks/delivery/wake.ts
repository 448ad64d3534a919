import type { Lane } from '../../jobs/webhooks.ts';
import type { Clock } from '../../platform/clock.ts';
import { cycleMs } from './cycle.ts';

/** Wakes the fanout when a minute of the service's clock begins, and a lane when it is worth another look. Idle, it costs one timer. */
export interface Wake {
  /** Wakes a lane once. Of several times that are asked for, the earliest counts. */
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
