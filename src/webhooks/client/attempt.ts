/**
 * Why a delivery failed, as it is stored and shown: never anything from the receiver's answer.
 * `refused`: the guard refuses the target; `dns`: the name was not resolved; `connect`: no connection to any address;
 * `connect-timeout`: none in time; `tls`: no trusted connection; `reset`: the connection broke before there was an answer;
 * `timeout`: no whole answer in time; `protocol`: the answer is not HTTP; `http`: the answer's status is not 2xx;
 * `busy`: never sent, since earlier requests to the host took too long.
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

/** The outcome of one request. */
export interface Attempt {
  /** Of the answer, as its platform reads it; null when there was none, or none in time. */
  status: number | null;
  /** Null exactly when the status is 2xx. */
  error: AttemptError | null;
  /** From the first step, resolving included, to the verdict; not the wait for a free slot. */
  durationMs: number;
  /** What the header Retry-After of an answer other than 2xx asks for. */
  retryAfterMs: number | null;
  /** Milliseconds until the chat platform's rate limit lifts, when it is used up. */
  rateLimitMs: number | null;
  /** The fault is plainly on our side: our resolver or network is out, or the request was never made. */
  ours: boolean;
}

/** A request failed before an answer. The message is the class of the error alone, since URLs may be secret. */
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

/** An attempt without an answer. */
export function failed({ error, ours }: AttemptFault, durationMs: number): Attempt {
  return { status: null, error, durationMs, retryAfterMs: null, rateLimitMs: null, ours };
}
