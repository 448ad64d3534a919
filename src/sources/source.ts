import type { Job } from '../jobs/job.ts';

/** One kind of data that a source has. */
export interface Offer {
  /** Keys of the sports; `set`: those that the source's settings name. */
  sports: readonly string[] | 'set';
  /** Credits that a request costs; 0: free. */
  credits: number;
  /** Minimum interval between two requests for the same data, in milliseconds. */
  everyMs: number;
}

/** Data that several sources may report differently. */
export interface TrustedOffer extends Offer {
  /** Place in the order of trust among the sources with this kind of data: 1 is trusted most. */
  trust: number;
}

export interface ScoresOffer extends TrustedOffer {
  /** How long a final score that no other source confirms must stand before it counts, in milliseconds. */
  settleMs: number;
}

/** Where games, prices and scores come from. A declaration without code: whatever needs to know the sources may import it. */
export interface Source {
  /** Its feeds are called `<name>` or `<name>/...` in `source_runs` and `source_events`. The name never changes. */
  name: string;
  /** Name for people. */
  title: string;
  /** The setting that turns it on. */
  setting: string;
  offers: { schedule?: TrustedOffer; prices?: Offer; scores?: ScoresOffer };
  /** Polls what is due. */
  job: Job;
}
