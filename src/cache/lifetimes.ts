/** Seconds that caches may keep an answer, by how soon what it shows changes. */
export const lifetimes = {
  /** The state of the service and digests of this moment. */
  live: 60,
  /** Streams that every new pick or settlement changes. */
  stream: 120,
  /** Boards, and pages made of them. */
  board: 300,
  /** Feeds and calendars, whose readers poll, and what changes once a day. */
  feed: 600,
  /** What changes with a release alone. */
  release: 3600,
} as const;
