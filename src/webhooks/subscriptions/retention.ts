const hour = 3_600_000;
const day = 24 * hour;

/** Something personal, or close to it, that the service stores. */
export interface Retained {
  what: string;
  why: string;
  /** Where it is stored, as far as that says who can read it. */
  where: string;
  /** How long it is kept, in milliseconds; null: as long as the operator keeps it. */
  forMs: number | null;
  /** What the time counts from. */
  from: string;
}

/**
 * Everything personal that the service stores, and for how long. Jobs and limiters take their times from here, and `/privacy` shows the
 * list, so that the two cannot differ.
 */
export const retention = {
  subscription: {
    what: 'Webhook subscription: the owner’s e-mail address, the receiver’s address, the signing secret',
    why: 'To deliver picks, and so that the owner can list, change and revoke the subscription. Nothing is sent to the e-mail address.',
    where: 'Database; receiver’s address and secret encrypted',
    forMs: 30 * day,
    from: 'the subscription is revoked or disabled',
  },
  unproven: {
    what: 'Webhook subscription whose receiver has not answered yet: the same, and the internet address that subscribed',
    why: 'To cap what one client can have waiting. The internet address is erased as soon as the receiver answers.',
    where: 'Database; receiver’s address and secret encrypted',
    forMs: day,
    from: 'subscribing',
  },
  attempt: {
    what: 'Delivery attempt: time, event, pick, status, duration and kind of error; nothing else of the receiver’s answer',
    why: 'So that the owner of a subscription can see what was delivered.',
    where: 'Database',
    forMs: 30 * day,
    from: 'the attempt',
  },
  request: {
    what: 'Internet address of a client that subscribed, with a count',
    why: 'To limit subscribing to five requests an hour.',
    where: 'Redis',
    forMs: hour,
    from: 'the first request counted',
  },
  log: {
    what: 'Request log: time, method, path, status, duration and a random id; neither internet addresses, e-mail addresses nor secrets',
    why: 'To find and repair faults.',
    where: 'Log files',
    forMs: null,
    from: '',
  },
} as const satisfies Record<string, Retained>;
