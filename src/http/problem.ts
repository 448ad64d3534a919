import type { Fault } from '../platform/schema.ts';

/** What a problem may carry beside its sentence. */
export interface ProblemOptions {
  /** One for each wrong field or parameter. */
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
}

/** A refusal (RFC 9457): a handler throws it, and the reader gets it. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, detail: string, options: ProblemOptions) {
    super(detail);
    this.status = status;
    this.options = options;
  }
}

/**
 * @param status the HTTP status
 * @param detail a sentence that helps the reader; it is public, so nothing internal belongs in it
 */
export function problem(status: number, detail: string, options: ProblemOptions = {}): Problem {
  return new Problem(status, detail, options);
}
