import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Refusal } from '../../../src/local/terminal.ts';
import { type Kind, kinds } from './kinds.ts';

export interface FaultOptions {
  /** Makes a run reproducible, as far as machines are. */
  seed: string;
  /** The duration of faults, without load and checks. */
  minutes: number;
  kinds: readonly Kind[];
}

/** @throws Refusal with the valid options */
export function faultOptions(args: readonly string[]): FaultOptions {
  const names = kinds.map(({ name }) => `'${name}'`).join(', ');
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: randomBytes(3).toString('hex') },
        minutes: { type: 'string', default: '40' },
        only: { type: 'string', multiple: true },
      },
    });
    const { seed, only } = values;
    const minutes = Number(values.minutes);
    const chosen = kinds.filter(({ name }) => only === undefined || only.some((part) => name.includes(part)));
    if (!(minutes > 0) || chosen.length === 0) throw new Error('no fault matches');
    return { seed, minutes, kinds: chosen };
  } catch (error) {
    throw new Refusal(
      `${(error as Error).message}\nUsage: npm run faults -- [--seed <text>] [--minutes <number>] [--only <part of a fault's name>]...\nFaults: ${names}`,
    );
  }
}
