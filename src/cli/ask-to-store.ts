import { createInterface } from 'node:readline/promises';
import type { Question } from '../sheets/sheet.ts';

export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

type Ask = (question: string) => Promise<string>;

/** Asks on a terminal. Ctrl-D and Ctrl-C stop it. @returns undefined if the person stops */
async function asking<T>(
  { input, output }: Terminal,
  work: (ask: Ask) => Promise<T>,
): Promise<T | undefined> {
  const terminal = createInterface({ input, output, terminal: true });
  try {
    return await work(async (question) => (await terminal.question(question)).trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    output.write('\n');
    return undefined;
  } finally {
    terminal.close();
  }
}

/** An empty answer, Ctrl-D, and Ctrl-C mean no. @param rows returns the outcome of each row, to show before the answer */
export async function askToStore(terminal: Terminal, rows: () => string[]): Promise<boolean> {
  const isWanted = await asking(terminal, async (ask) => {
    let question = 'Some of this was guessed. Store it? [y/N, d shows each row] ';
    for (;;) {
      const answer = (await ask(question)).toLowerCase();
      if (answer === 'y' || answer === 'yes') return true;
      if (answer === '' || answer === 'n' || answer === 'no') return false;
      const isShown = answer === 'd' || answer === 'dry run';
      if (isShown) for (const row of rows()) terminal.output.write(`${row}\n`);
      question = isShown
        ? 'Store it? [y/N] '
        : 'Please answer y to store it, n to store nothing, or d to see each row: ';
    }
  });
  return isWanted === true;
}

/**
 * Asks the questions of a sheet, one after the other. An empty answer skips a question, if rows can be stored without one.
 * @returns answers by key; undefined if the person stops with Ctrl-D or Ctrl-C, or skips a question that needs an answer
 */
export async function askQuestions(
  terminal: Terminal,
  questions: readonly Question[],
): Promise<Map<string, string> | undefined> {
  return asking(terminal, async (ask) => {
    const answers = new Map<string, string>();
    for (const { key, text, choices, otherwise } of questions) {
      const listed = choices.map((choice, at) => `${at + 1} ${choice}`).join(', ');
      terminal.output.write(`${text}\n`);
      for (;;) {
        const given = await ask(`  ${listed}${otherwise === undefined ? '' : `, or nothing: ${otherwise}`} `);
        const chosen = choices[Number(given) - 1] ?? choices.find((choice) => choice === given);
        if (chosen !== undefined) answers.set(key, chosen);
        else if (given !== '') continue;
        else if (otherwise === undefined) return undefined;
        break;
      }
    }
    return answers;
  });
}
