import type { Tier } from './read.ts';

export type Window = '7d' | '30d' | '90d' | 'all';

/** The query parameters of the read endpoints, under their names on the wire. Each endpoint uses its own. */
export interface Query {
  sport?: string | undefined;
  market?: string | undefined;
  capper_handle?: string | undefined;
  team?: string | undefined;
  player?: string | undefined;
  result?: string | undefined;
  /** `2026-01`. */
  month?: string | undefined;
  provenance?: 'live' | 'imported' | 'all' | undefined;
  tier?: Tier | undefined;
  window?: Window | undefined;
  /** Minutes. */
  delay?: string | undefined;
  limit?: number | undefined;
  hours?: number | undefined;
  days?: number | undefined;
  min?: number | undefined;
  min_n?: number | undefined;
  last_n?: number | undefined;
  n?: number | undefined;
  cursor?: number | string | undefined;
  /** An ISO instant or date. */
  since?: string | undefined;
  after_id?: number | undefined;
  before?: string | undefined;
}

/** Returns a parameter with its default and its maximum applied. */
export const bounded = (value: number | undefined, standard: number, maximum: number): number =>
  Math.min(value ?? standard, maximum);
