/** Why a start is refused, in a sentence for whoever typed the command: shown without a stack trace. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** How progress is told: one line at a time. */
export type Say = (line: string) => void;
