import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { fetchBytes, LogUnreadable, openLog, verifierKeysIn } from '../monitor/log-client.ts';
import type { Trust } from '../proof/receipt-walk.ts';
import { parseStrictJson } from '../proof/strict-json.ts';
import { COSIGNATURE, ED25519, type VerifierKey } from '../proof/verifier-key.ts';
import { type Verdict, verifyReceipt } from '../proof/verify-receipt.ts';
import { collect, type Say, type Verb, VerbRefused, wholeNumber } from './verb.ts';

export interface VerifyOptions {
  /** Verifier keys of the log, or files that hold some. */
  key: readonly string[];
  /** Verifier keys of witnesses, or files that hold some. */
  witness: readonly string[];
  quorum?: number;
  beforeStart: boolean;
  json: boolean;
}

/** What was asked for cannot be done; the message says why. */
export class VerifyError extends VerbRefused {
  override name = 'VerifyError';
  override readonly status = 2;
}

/**
 * Verifies a receipt and shows each step of it.
 * @param source a file, an address of a receipt or of a pick's page, or `-` for standard input
 * @returns the exit status: 0 verified, 1 refuted, 2 nothing to verify yet
 * @throws VerifyError when the receipt or a key cannot be read
 */
export async function runVerify(source: string, options: VerifyOptions, say: Say): Promise<number> {
  const url = /^https?:\/\//.test(source) ? receiptAddress(source) : null;
  const receipt = await readReceipt(source, url);
  const trust = await trustOf(url, options, say);
  const verdict = await verifyReceipt(receipt, trust);
  if (options.json) say(JSON.stringify(verdict, null, 2));
  else tell(verdict, say);
  return { verified: 0, failed: 1, unhashed: 2 }[verdict.verdict];
}

/** A pick's page stands for its receipt. */
function receiptAddress(address: string): URL {
  if (!URL.canParse(address)) throw new VerifyError(`${address} is not an address.`);
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
  const asked = {
    ...(witnesses.length > 0 ? { witnesses } : {}),
    ...(quorum === undefined ? {} : { quorum }),
    ...(beforeStart ? { beforeStart } : {}),
  };
  if (options.key.length > 0)
    return { keys: options.key.flatMap((given) => readKeys(given, ED25519)), ...asked };
  if (url === null)
    throw new VerifyError(
      "Name the log's public key with --key: it must come from elsewhere than the receipt.",
    );
  const keys = await openLog(url.origin)
    .keys()
    .catch((error: Error) => {
      throw error instanceof LogUnreadable ? new VerifyError(`${error.message}.`) : error;
    });
  if (keys.length === 0) throw new VerifyError(`${url.origin} shows no key. Name one with --key.`);
  if (!options.json)
    say(
      `The key comes from ${url.origin} itself, as the receipt does. To trust it, name one from elsewhere with --key.\n`,
    );
  return { keys, ...asked };
}

function readKeys(given: string, type: number): VerifierKey[] {
  let text = given;
  if (!given.includes('+')) {
    try {
      text = readFileSync(given, 'utf8');
    } catch (error) {
      throw new VerifyError(`No key can be read from ${given}: ${(error as Error).message}.`);
    }
  }
  const keys = verifierKeysIn(text).filter((key) => key.type === type);
  if (keys.length === 0)
    throw new VerifyError(
      `${given} is not the verifier key of a ${type === COSIGNATURE ? 'witness' : 'log'}: <name>+<8 hex digits>+<base64>.`,
    );
  return keys;
}

function tell({ verdict, steps, failed }: Verdict, say: Say): void {
  for (const { step, event, ok, detail } of steps)
    say(`${ok ? ' ok ' : 'FAIL'}  ${`${event ?? ''} ${step}`.trim().padEnd(18)} ${detail}`);
  say('');
  if (verdict === 'verified') say('Verified: this is in the signed log, as it stands here.');
  else if (verdict === 'unhashed') say('Not sealed yet: there is nothing to verify.');
  else say(`Refuted at "${`${failed!.event ?? ''} ${failed!.step}`.trim()}": ${failed!.detail}`);
}

/** `verify`: for whoever has a receipt. */
export const verifyVerb: Verb = (_config, say) =>
  new Command('verify')
    .description('verifies a receipt, step by step')
    .argument('<receipt>', "a file, the address of a receipt or of a pick's page, or - for standard input")
    .option('--key <key>', 'a verifier key of the log, or a file with some; may be given again', collect, [])
    .option('--witness <key>', 'the same of a witness; may be given again', collect, [])
    .option('--quorum <k>', 'how many witnesses must have cosigned; default all that are named', wholeNumber)
    .option('--before-start', "so many must have cosigned the pick before the game's start", false)
    .option('--json', 'answer in JSON', false)
    .action(async (receipt: string, options: VerifyOptions) => {
      process.exitCode = await runVerify(receipt, options, say);
    });
