import { readFileSync } from 'node:fs';
import { fetchBytes, LogUnreadable, openLog, verifierKeysIn } from '../../../../src/monitor/log-client.ts';
import type { Trust } from '../../../../src/proof/receipt-walk.ts';
import { parseStrictJson } from '../../../../src/proof/strict-json.ts';
import { laterEvents, shownVerdicts } from '../../../../src/proof/verdicts.ts';
import { COSIGNATURE, ED25519, type VerifierKey } from '../../../../src/proof/verifier-key.ts';
import { type Verification, verifyReceipt } from '../../../../src/proof/verify-receipt.ts';
import { type Command, type Say, VerbRefused, wholeNumber } from './command.ts';

export interface VerifyOptions {
  /** Verifier keys of the log, or files with some. */
  key: readonly string[];
  /** Verifier keys of witnesses, or files with some. */
  witness: readonly string[];
  quorum?: number;
  beforeStart: boolean;
  json: boolean;
}

/** A receipt, key, or log cannot be read. */
export class VerifyError extends VerbRefused {
  override name = 'VerifyError';
  override readonly status = 2;
}

/**
 * Verifies a receipt. Prints the outcome of each step, then the four verdicts.
 * @param source a file, the URL of a receipt or of a pick's page, or `-` for standard input
 * @returns the exit status: 0 proven, 1 failed, 2 not sealed yet
 * @throws VerifyError if the receipt or a key cannot be read
 */
export async function runVerify(source: string, options: VerifyOptions, say: Say): Promise<number> {
  const url = /^https?:\/\//.test(source) ? receiptAddress(source) : null;
  const receipt = await readReceipt(source, url);
  const trust = await trustOf(url, options, say);
  const verification = await verifyReceipt(receipt, trust);
  if (options.json) say(JSON.stringify(verification, null, 2));
  else print(verification, say);
  return { ok: 0, failed: 1, unhashed: 2 }[verification.proof];
}

/** Maps the URL of a pick's page to that of its receipt. */
function receiptAddress(address: string): URL {
  if (!URL.canParse(address)) throw new VerifyError(`${address} is not a URL.`);
  const url = new URL(address);
  const page = /^\/p\/([0-9a-fA-F-]{36})\/?$/.exec(url.pathname);
  return page === null ? url : new URL(`/api/picks/${page[1]}/receipt`, url);
}

async function readReceipt(source: string, url: URL | null): Promise<unknown> {
  try {
    const text =
      url === null
        ? readFileSync(source === '-' ? 0 : source, 'utf8')
        : new TextDecoder().decode(await fetchBytes(url));
    return parseStrictJson(text);
  } catch (error) {
    const { message } = error as Error;
    throw new VerifyError(
      error instanceof SyntaxError ? `${source} is not a receipt: ${message}.` : `${message}.`,
    );
  }
}

async function trustOf(url: URL | null, options: VerifyOptions, say: Say): Promise<Trust> {
  const witnesses = options.witness.flatMap((given) => readKeys(given, COSIGNATURE));
  const { quorum, beforeStart } = options;
  const required = {
    ...(witnesses.length > 0 ? { witnesses } : {}),
    ...(quorum === undefined ? {} : { quorum }),
    ...(beforeStart ? { beforeStart } : {}),
  };
  if (options.key.length > 0)
    return { keys: options.key.flatMap((given) => readKeys(given, ED25519)), ...required };
  if (url === null)
    throw new VerifyError(
      "Pass the log's verifier key with --key. It must come from another source than the receipt.",
    );
  const keys = await openLog(url.origin)
    .keys()
    .catch((error: Error) => {
      throw error instanceof LogUnreadable ? new VerifyError(`${error.message}.`) : error;
    });
  if (keys.length === 0) throw new VerifyError(`${url.origin} publishes no key. Pass one with --key.`);
  if (!options.json)
    say(
      `The key comes from ${url.origin}, as does the receipt. For an independent check, pass one from another source with --key.\n`,
    );
  return { keys, ...required };
}

function readKeys(given: string, type: number): VerifierKey[] {
  let text = given;
  if (!given.includes('+')) {
    try {
      text = readFileSync(given, 'utf8');
    } catch (error) {
      throw new VerifyError(`${given} cannot be read: ${(error as Error).message}.`);
    }
  }
  const keys = verifierKeysIn(text).filter((key) => key.type === type);
  if (keys.length === 0)
    throw new VerifyError(
      `${given} has no verifier key of a ${type === COSIGNATURE ? 'witness' : 'log'}: <name>+<8 hex digits>+<base64>.`,
    );
  return keys;
}

function print({ proof, verdicts, laterEventsMayExist, steps, failed }: Verification, say: Say): void {
  for (const { step, event, ok, detail } of steps)
    say(`${ok ? ' ok ' : 'FAIL'}  ${`${event ?? ''} ${step}`.trim().padEnd(18)} ${detail}`);
  say('');
  for (const { name, word, meaning } of shownVerdicts(verdicts))
    say(`${`${name}:`.padEnd(18)} ${word.padEnd(16)} ${meaning}`);
  if (failed !== null) say(`Failed at "${`${failed.event ?? ''} ${failed.step}`.trim()}": ${failed.detail}`);
  else if (proof === 'unhashed') say('Not sealed yet: there is nothing to verify.');
  else if (laterEventsMayExist) say(laterEvents);
}

/** `verify`: verifies a receipt offline, without access to the service. */
export const verifyCommand: Command = {
  argument: {
    name: 'receipt',
    about: "a file, the URL of a receipt or of a pick's page, or - for standard input",
  },
  options: {
    key: { value: '<key>', about: 'verifier key of the log, or a file that contains some', many: true },
    witness: {
      value: '<key>',
      about: 'verifier key of a witness, or a file that contains some',
      many: true,
    },
    quorum: {
      value: '<k>',
      about: 'number of witnesses that must have cosigned; default: all',
      read: wholeNumber,
    },
    beforeStart: {
      about: "require that quorum, at least one, to have cosigned the pick before the game's start",
    },
    json: { about: 'print steps and verdicts as JSON' },
  },
  run: runVerify,
};
