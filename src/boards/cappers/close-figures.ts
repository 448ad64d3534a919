import { countsSql, type PickFilter, settledFrom } from '../../projections/pick-filter.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import type { Window } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../endpoint.ts';

/** Comparison of settled picks with the close (docs/rules/records.md#on-pages). */
export interface CloseFigures {
  /** Picks that closed at the line taken; `beatSample` of them beat the closing odds. */
  sample: number;
  beatSample: number;
  medianBps: number | null;
  /** 95% interval of the mean edge, in percent; null with fewer than {@link fewest} edges. */
  edgeLowPct: number | null;
  edgeHighPct: number | null;
}

/** Minimum number of edges for an interval: the spread of fewer says little. */
const fewest = 30;

interface Row {
  handle: string;
  sample: number;
  beatSample: number;
  medianBps: number | null;
  edges: number;
  edgeMean: number | null;
  edgeDeviation: number | null;
}

/** Reads the figures of cappers by handle, for those with settled picks that pass the filter. */
export async function closeFigures(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  handles: readonly string[],
  { window, ...filter }: PickFilter & { window: Window },
): Promise<Map<string, CloseFigures>> {
  const firstDay = windowFirstDay(window, etDay(now));
  const rows: Row[] = await database('board_picks as b')
    .join('cappers as c', 'c.id', 'b.capper_id')
    .whereRaw('c.handle = any(?)', [[...handles]])
    .whereRaw(countsSql('b'))
    .modify((query) => settledFrom(query, firstDay, filter))
    .groupBy('c.handle')
    .select({
      handle: 'c.handle',
      sample: database.raw('count(b.clv_counted_bps) filter (where b.same_line)::int'),
      beatSample: database.raw('count(*) filter (where b.same_line and b.clv_counted_bps > 0)::int'),
      medianBps: database.raw(
        'percentile_cont(0.5) within group (order by b.clv_counted_bps) filter (where b.same_line)',
      ),
      edges: database.raw('count(b.edge_bps)::int'),
      edgeMean: database.raw('avg(b.edge_bps)::float8'),
      edgeDeviation: database.raw('stddev_samp(b.edge_bps)::float8'),
    });
  return new Map(rows.map((row) => [row.handle, figuresOf(row)]));
}

function figuresOf({ sample, beatSample, medianBps, edges, edgeMean, edgeDeviation }: Row): CloseFigures {
  const isKnown = edges >= fewest && edgeMean !== null && edgeDeviation !== null;
  const margin = isKnown ? (1.96 * edgeDeviation) / Math.sqrt(edges) : 0;
  return {
    sample,
    beatSample,
    medianBps,
    edgeLowPct: isKnown ? (edgeMean - margin) / 100 : null,
    edgeHighPct: isKnown ? (edgeMean + margin) / 100 : null,
  };
}
