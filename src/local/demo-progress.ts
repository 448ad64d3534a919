import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from './refusal.ts';

interface DemoOptions {
  /** How much of the demo's history is there, from 0 to 1. */
  progress(): Promise<number>;
  say: Say;
  aborted: AbortSignal;
}

/** Waits until the demo's history is there; says every five seconds how far it is. */
export async function demoFilled({ progress, say, aborted }: DemoOptions): Promise<void> {
  let sayNext = Date.now();
  for (;;) {
    const share = await progress();
    if (share >= 1) return;
    if (Date.now() >= sayNext) {
      say(`Filling the demo ledger: ${Math.floor(share * 100)} % ...`);
      sayNext = Date.now() + 5_000;
    }
    await pause(250, undefined, { signal: aborted });
  }
}
