import { createInterface } from 'node:readline/promises';
import type { Question } from '../sheets/whole-sheet.ts';

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

/**
 * Asks the questions of a sheet, one after the other. An empty answer skips a question, if rows can be stored without one.
 * @returns answers by key; undefined if the person stops with Ctrl-D or Ctrl-C, or skips a question that needs an answer
 */
export async function askQuestions(
  { input, output }: Terminal,
  questions: readonly Question[],
): Promise<Map<string, string> | undefined> {
  const terminal = createInterface({ input, output, terminal: true });
  const answers = new Map<string, string>();
  try {
    for (const { key, text, choices, otherwise } of questions) {
      const listed = choices.map((choice, at) => `${at + 1} ${choice}`).join(', ');
      output.write(`${text}\n`);
      for (;;) {
        const given = (
          await terminal.question(
            `  ${listed}${otherwise === undefined ? '' : `, or nothing: ${otherwise}`} `,
          )
        ).trim();
        const chosen = choices[Number(given) - 1] ?? choices.find((choice) => choice === given);
        if (chosen !== undefined) answers.set(key, chosen);
        else if (given !== '') continue;
        else if (otherwise === undefined) return undefined;
        break;
      }
    }
    return answers;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    output.write('\n');
    return undefined;
  } finally {
    terminal.close();
  }
}
