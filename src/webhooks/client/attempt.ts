/**
 * Reason why a delivery failed, as stored and shown. It never contains anything from the receiver's answer.
 * - `refused`: the guard refuses the target.
 * - `dns`: the name was not resolved.
 * - `connect`: no connection to any address.
 * - `connect-timeout`: none in time.
 * - `tls`: no trusted connection.
 * - `reset`: the connection broke before the answer.
 * - `timeout`: no complete answer in time.
 * - `protocol`: the answer is not HTTP.
 * - `http`: the status is not 2xx.
 * - `busy`: never sent, because too many other requests are running.
 */
export type AttemptError =
  | 'refused'
  | 'dns'
  | 'connect'
  | 'connect-timeout'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'protocol'
  | 'http'
  | 'busy';

export interface Attempt {
  /** Status of the answer, as its platform reads it; null without a complete answer in time. */
  status: number | null;
  /** Null if and only if the status is 2xx. */
  error: AttemptError | null;
  /** From the start of resolving to the verdict, in ms. */
  durationMs: number;
  retryAfterMs: number | null;
  rateLimitMs: number | null;
  /** Whether the fault is clearly on our side: our resolver or network fails, or the request was never sent. */
  ours: boolean;
}

/** A request failed before an answer. The message is only the class of the error, because URLs may be secret. */
export class AttemptFault extends Error {
  override name = 'AttemptFault';
  readonly error: AttemptError;
  readonly ours: boolean;

  constructor(error: AttemptError, ours = false) {
    super(error);
    this.error = error;
    this.ours = ours;
  }
}

export function failed({ error, ours }: AttemptFault, durationMs: number): Attempt {
  return { status: null, error, durationMs, retryAfterMs: null, rateLimitMs: null, ours };
}
