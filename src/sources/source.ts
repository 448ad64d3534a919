import type { Job } from '../jobs/job.ts';

export interface Offer {
  /** Cost of a request in credits; 0: free. */
  credits: number;
  /** Minimum interval between requests for the same data, in ms. */
  everyMs: number;
}

/** Data that several sources may report differently. */
export interface TrustedOffer extends Offer {
  /** Rank among the sources with this kind of data; 1 is trusted most. */
  trust: number;
}

export interface ScoresOffer extends TrustedOffer {
  /** How long an unconfirmed final score must stand before it counts, in ms. */
  settleMs: number;
  /** Reports whether it has scores of a sport. */
  hasSport(sport: string): boolean;
}

/** A provider of games, prices, and scores. A declaration without code, which any room may import. */
export interface Source {
  /** Name of its feeds in `source_runs` and `source_events`: `<name>` or `<name>/...`. It never changes. */
  name: string;
  /** Display name. */
  title: string;
  /** The setting that enables it. */
  setting: string;
  offers: { schedule?: TrustedOffer; prices?: Offer; scores?: ScoresOffer };
  /** The job that polls it. */
  job: Job;
}
