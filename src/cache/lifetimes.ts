/** Seconds that caches may keep an answer, by how soon its content changes. */
export const lifetimes = {
  /** Service status and digests of the present. */
  live: 60,
  /** Lists that every new pick or settlement changes. */
  stream: 120,
  /** Boards, and pages that show them. */
  board: 300,
  /** Feeds and calendars, whose readers poll, and daily content. */
  feed: 600,
  /** Content that changes only with a release. */
  release: 3600,
} as const;
