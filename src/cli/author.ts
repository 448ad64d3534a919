import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { Command } from 'commander';
import type { Static } from 'typebox';
import type { OpenBet } from '../games/open-bets.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { fingerprint, idOfKey, keyText, type PickIntent, signedBytes } from '../proof/capper-key.ts';
import { keyPair } from '../proof/ed25519.ts';
import { base64, fromBase64 } from '../proof/encoding.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

const keyFile = Type.Object({
  /** URL of the site where the key is registered. */
  site: Type.String(),
  capper: Type.String(),
  /** The name of the log for which the key was registered. */
  origin: Type.String(),
  /** The private key, 32 bytes in base64. */
  seed: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
});
const checkKeyFile = checker(keyFile);

interface AuthorKey {
  site: string;
  capper: string;
  origin: string;
  id: string;
  key: string;
  sign(message: Uint8Array): Promise<string>;
}

/** `author-key`: creates a key for programs that sign picks. Needs no settings of a service. */
export const authorKeyVerb: Verb = (_config, say) =>
  new Command('author-key')
    .description("creates a key to sign picks with, and registers it with the operator's invitation")
    .argument('<link>', 'the link of the invitation')
    .requiredOption('--file <path>', 'where to save the key; an existing file is never replaced')
    .action((link: string, { file }: { file: string }) => makeKey(link, file, say));

/** `post`: signs a pick and posts it. Needs no settings of a service. */
export const postVerb: Verb = (_config, say, warn) =>
  new Command('post')
    .description('signs a pick with the key in a file and posts it')
    .argument('<line>', 'such as "Lakers -3.5 -110 2u"')
    .requiredOption('--file <path>', 'the file that author-key wrote')
    .option('--dry-run', 'show what would be signed, and post nothing')
    .action((line: string, { file, dryRun }: { file: string; dryRun?: true }) =>
      post(line, file, dryRun === true, say, warn),
    );

async function makeKey(link: string, file: string, say: Say): Promise<void> {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const [, site, capper = '', token = ''] =
    /^(.*)\/join#([a-z0-9][a-z0-9_-]{1,31})\.([\w-]{20,100})$/.exec(url?.href ?? '') ?? [];
  if (site === undefined) throw new VerbRefused('This is not the link of an invitation.');
  const seed = randomBytes(32);
  const { origin } = await request(`${site}/api/cappers/${capper}/keys`);
  if (typeof origin !== 'string') throw new VerbRefused(`${site} has no log yet. Try again in a minute.`);
  const kept = { site, capper, origin, seed: seed.toString('base64') };
  // Saved before it is registered: a lost key would stay in the log for good.
  write(file, `${JSON.stringify(kept, null, 2)}\n`);
  try {
    const { id, key, sign } = await keyOf(kept);
    const at = new Date().toISOString();
    const statement = { origin, capper, action: 'add', key, purpose: 'device', at } as const;
    const possession = await sign(signedBytes('key-statement/v1', statement));
    const added = { key, purpose: statement.purpose, at, possession };
    await send(`${site}/api/cappers/${capper}/keys`, { token, origin, keys: [added] });
    say(`Registered key ${fingerprint(id)} for ${capper} at ${site}, whose log is ${origin}.`);
  } catch (error) {
    // Without an answer, the key may have been registered.
    if (error instanceof Refused) rmSync(file);
    throw error;
  }
}

async function post(line: string, file: string, dryRun: boolean, say: Say, warn: Say): Promise<void> {
  const key = await keyOf(read(file));
  const { origin, why, bets } = (await send(`${key.site}/api/bets/read`, {
    text: line,
  })) as unknown as Reading;
  if (origin !== key.origin)
    throw new VerbRefused(
      `${key.site} now names its log ${origin}, but ${file} is for ${key.origin}. If its operator announced a new log, change origin in the file.`,
    );
  const [bet] = bets;
  if (bet === undefined || bets.length > 1) {
    for (const { words, game, startsAt } of bets) warn(`  ${words}: ${game}, ${startsAt}`);
    throw new VerbRefused(why ?? 'The line is not a bet on a game of the next 36 hours.');
  }
  if (why !== null) warn(why);
  if (bet.oddsAmerican === null) throw new VerbRefused('The line has no odds.');
  if (bet.stakeUnits === null) throw new VerbRefused('The line has no stake, such as 1u.');
  const intent: PickIntent = {
    ...{
      origin,
      capper: key.capper,
      sport: bet.sport,
      game: bet.game,
      starts_at: bet.startsAt,
      market: bet.market,
    },
    ...{
      subject: bet.subject,
      side: bet.side,
      line_e3: bet.line === null ? null : Math.round(bet.line * 1000),
    },
    ...{ pick: bet.pick, odds_american: bet.oddsAmerican, stake_e4: Math.round(bet.stakeUnits * 10_000) },
    ...{ book: bet.book, nonce: randomBytes(18).toString('base64url'), at: new Date().toISOString() },
  };
  say(`${bet.words}: ${bet.game}, ${bet.startsAt}`);
  const { rows } = (await send(`${key.site}/api/picks/check`, {
    ...{ capperHandle: key.capper, sport: bet.sport, game: bet.game, startsAt: bet.startsAt },
    ...{
      market: bet.market,
      subject: bet.subject,
      side: bet.side,
      line: bet.line,
      pick: bet.pick,
      book: bet.book,
    },
    ...{ oddsAmerican: bet.oddsAmerican, stakeUnits: bet.stakeUnits },
  })) as unknown as { rows: readonly [{ reason?: string; sentence?: string }] };
  if (rows[0].reason !== undefined) throw new VerbRefused(`The pick would be refused: ${rows[0].reason}.`);
  say(rows[0].sentence!);
  say(`Signing as ${key.capper} for Public Picks at ${key.site}, whose log is ${origin}.`);
  if (dryRun) {
    say(JSON.stringify(intent, null, 2));
    return;
  }
  const signature = await key.sign(signedBytes('pick-intent/v1', intent));
  const posted = await send(`${key.site}/api/picks`, { intent, key: key.id, signature });
  say(`Posted: ${posted.url}`);
}

/** The site's reading of a line of text. */
interface Reading {
  origin: string;
  why: string | null;
  bets: readonly (Omit<OpenBet, 'startsAt'> & { startsAt: string; words: string })[];
}

async function keyOf({ site, capper, origin, seed }: Static<typeof keyFile>): Promise<AuthorKey> {
  const { publicKey, sign } = await keyPair(fromBase64(seed));
  const key = keyText(publicKey);
  return {
    site,
    capper,
    origin,
    id: idOfKey(key),
    key,
    sign: async (message) => base64(await sign(message)),
  };
}

/** Writes a new file. @throws VerbRefused if it exists or cannot be written */
function write(file: string, text: string): void {
  let opened: number;
  try {
    opened = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new VerbRefused(`Cannot save the key in ${file}: ${(error as Error).message}.`);
  }
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Reads a key file. @throws VerbRefused if others may read it, or it is not a key */
function read(file: string) {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (error) {
    throw new VerbRefused(`Cannot read the key: ${(error as Error).message}.`);
  }
  try {
    if ((fstatSync(opened).mode & 0o077) !== 0)
      throw new VerbRefused(`Others may read ${file}. Run: chmod 600 ${file}`);
    const checked = checkKeyFile(JSON.parse(readFileSync(opened, 'utf8')));
    if (!checked.ok) throw new VerbRefused(`${file} is not a key: ${faultsText(checked.faults)}.`);
    return checked.value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new VerbRefused(`${file} is not a key.`);
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** The site answered with a refusal. */
class Refused extends VerbRefused {}

/** Posts JSON. @throws VerbRefused */
function send(url: string, body: object): Promise<Record<string, unknown>> {
  return request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** @throws VerbRefused */
async function request(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  let status: number;
  let answer: Record<string, unknown>;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    status = response.status;
    answer = (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw new VerbRefused(`Cannot reach ${url}: ${(error as Error).message}.`);
  }
  if (status >= 500) throw new VerbRefused(String(answer.detail));
  if (status >= 400) throw new Refused(String(answer.detail));
  return answer;
}
