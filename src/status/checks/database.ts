import { withTimeout } from '../../platform/timeout.ts';
import { ageCheck } from '../check.ts';

/** A round does not wait longer for a store; it is down then. */
const timeoutMs = 5000;

export const databaseCheck = ageCheck({
  name: 'database',
  title: 'PostgreSQL',
  about: 'How long PostgreSQL takes to accept a connection and answer on it.',
  thresholds: { degraded: 1, down: 4 },
  restsOn: [],
  look: ({ probe }) => timed('PostgreSQL', probe),
});

/** How long a store takes to answer; one that does not answer is down, which is a finding too. */
export async function timed(store: string, ask: () => Promise<unknown>) {
  const began = performance.now();
  try {
    await withTimeout(ask(), timeoutMs);
  } catch {
    return { seconds: null, message: `${store} does not answer.`, atLeast: 'down' as const };
  }
  const ms = Math.round(performance.now() - began);
  return { seconds: ms / 1000, value: ms, message: `${store} answers within ${ms} ms.` };
}
