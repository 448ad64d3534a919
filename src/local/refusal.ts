/** Why a command is refused, in a sentence for the person who typed it; shown without a stack trace. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** Prints a line of progress. */
export type Say = (line: string) => void;
