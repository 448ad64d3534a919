import { capperClv } from '../../boards/cappers/clv.ts';
import { leaderboard } from '../../boards/cappers/leaderboard.ts';
import { capperLuck } from '../../boards/cappers/luck.ts';
import { capperStats } from '../../boards/cappers/stats.ts';
import type { BoardContext } from '../../boards/endpoint.ts';
import { pickClosing } from '../../boards/picks/closing.ts';
import { pickBoard } from '../../boards/picks/pick.ts';
import { pickConfidence } from '../../boards/picks/pod.ts';

/** Undefined while nobody has a record. */
export async function leader(context: BoardContext): Promise<string | undefined> {
  const { cappers } = await leaderboard.compute(context, { window: 'all', limit: 1, provenance: 'all' });
  return cappers[0]?.handle;
}

/** Undefined without a win or loss. */
export async function exampleCapper(context: BoardContext, name: string) {
  const [{ handle, lifetime }, values, luck] = await Promise.all([
    capperStats.compute(context, { handle: name, provenance: 'all' }),
    capperClv.compute(context, { handle: name, last_n: 1, provenance: 'all' }),
    capperLuck.compute(context, { handle: name, window: 'all', provenance: 'all', days: 1 }),
  ]);
  return luck.decided === 0 ? undefined : { handle, record: lifetime, values, luck };
}

/** The latest pick that closed at its own line, preferably at other odds; otherwise the latest one; undefined without a pick. */
export async function examplePick(context: BoardContext, name: string) {
  const [{ picks }, { lastPicks }] = await Promise.all([
    capperClv.compute(context, { handle: name, last_n: 200, provenance: 'all' }),
    capperStats.compute(context, { handle: name, provenance: 'all' }),
  ]);
  const atOwnLine = picks.filter(({ sameLine }) => sameLine);
  const moved = atOwnLine.find(({ clvBps }) => clvBps !== 0) ?? atOwnLine[0];
  const uuid = moved?.pickUuid ?? lastPicks[0]?.pickUuid;
  if (uuid === undefined) return undefined;
  const [pick, closing, confidence] = await Promise.all([
    pickBoard.compute(context, { uuid }),
    pickClosing.compute(context, { uuid }),
    pickConfidence.compute(context, { uuid }),
  ]);
  return { pick, closing, confidence };
}

export type ExampleCapper = NonNullable<Awaited<ReturnType<typeof exampleCapper>>>;
export type ExamplePick = NonNullable<Awaited<ReturnType<typeof examplePick>>>;
