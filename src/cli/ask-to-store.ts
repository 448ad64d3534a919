import { createInterface } from 'node:readline/promises';

/** Input and output of the terminal to ask on. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks whether to store guesses, and repeats the question until it is answered. An empty answer, Ctrl-D, and Ctrl-C mean no.
 * @param rows returns the outcome of each row, to show before the answer
 */
export async function askToStore({ input, output }: Terminal, rows: () => string[]): Promise<boolean> {
  const terminal = createInterface({ input, output, terminal: true });
  const ask = async (question: string): Promise<boolean> => {
    const answer = (await terminal.question(question)).trim().toLowerCase();
    if (answer === 'y' || answer === 'yes') return true;
    if (answer === '' || answer === 'n' || answer === 'no') return false;
    if (answer === 'd' || answer === 'dry run') {
      for (const row of rows()) output.write(`${row}\n`);
      return ask('Store it? [y/N] ');
    }
    return ask('Please answer y to store it, n to store nothing, or d to see each row: ');
  };
  try {
    return await ask('Some of this was guessed. Store it? [y/N, d shows each row] ');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    output.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}
