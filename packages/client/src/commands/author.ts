import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { keyAddition, pickIntent, signedPick } from '../../../../src/proof/author-statements.ts';
import { fingerprint } from '../../../../src/proof/capper-key.ts';
import { plainObject, text } from '../../../../src/proof/shape.ts';
import { ApiError, callsOf } from '../api.ts';
import { authorKey } from '../author.ts';
import { type Command, type Say, VerbRefused } from './command.ts';

interface KeyFile {
  /** URL of the site where the key is registered. */
  site: string;
  capper: string;
  /** The name of the log for which the key was registered. */
  origin: string;
  /** The private key, 32 bytes in base64. */
  seed: string;
}

/** `author-key`: creates a key for programs that sign picks. */
export const authorKeyCommand: Command = {
  argument: { name: 'link', about: 'the link of the invitation' },
  options: {
    file: {
      value: '<path>',
      about: 'where to save the key; an existing file is never replaced',
      required: true,
    },
  },
  async run(link, { file }: { file: string }, say) {
    await makeKey(link, file, say);
    return 0;
  },
};

/** `post`: signs a pick and posts it. */
export const postCommand: Command = {
  argument: { name: 'line', about: 'such as "Lakers -3.5 -110 2u"' },
  options: {
    file: { value: '<path>', about: 'the file that author-key wrote', required: true },
    dryRun: { about: 'show what would be signed, and post nothing' },
  },
  async run(line, { file, dryRun }: { file: string; dryRun: boolean }, say, warn) {
    await post(line, file, dryRun, say, warn);
    return 0;
  },
};

async function makeKey(link: string, file: string, say: Say): Promise<void> {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const [, site, capper = '', token = ''] =
    /^(.*)\/join#([a-z0-9][a-z0-9_-]{1,31})\.([\w-]{20,100})$/.exec(url?.href ?? '') ?? [];
  if (site === undefined) throw new VerbRefused('This is not the link of an invitation.');
  const seed = randomBytes(32).toString('base64');
  const calls = callsOf({ address: site });
  const { origin } = await answered(site, calls.getCapperKeys({ handle: capper }));
  if (origin === null) throw new VerbRefused(`${site} has no log yet. Try again in a minute.`);
  // Saved before it is registered: a lost key would stay in the log for good.
  write(file, `${JSON.stringify({ site, capper, origin, seed }, null, 2)}\n`);
  try {
    const key = await authorKey(seed);
    const keys: [Awaited<ReturnType<typeof keyAddition>>] = [
      await keyAddition({ origin, capper }, key, 'device'),
    ];
    await answered(site, calls.addCapperKeys({ handle: capper, body: { token, origin, keys } }));
    say(`Registered key ${fingerprint(key.id)} for ${capper} at ${site}, whose log is ${origin}.`);
  } catch (error) {
    // Without an answer, the key may have been registered.
    if (error instanceof Refused) rmSync(file);
    throw error;
  }
}

async function post(line: string, file: string, dryRun: boolean, say: Say, warn: Say): Promise<void> {
  const { seed, ...key } = read(file);
  const author = { ...key, ...(await authorKey(seed)) };
  const { site } = key;
  const calls = callsOf({ address: site });
  const { origin, why, bets } = await answered(site, calls.readBet({ body: { text: line } }));
  if (origin !== key.origin)
    throw new VerbRefused(
      `${site} now names its log ${origin}, but ${file} is for ${key.origin}. If its operator announced a new log, change origin in the file.`,
    );
  const [bet] = bets;
  if (bet === undefined || bets.length > 1) {
    for (const { words, game, startsAt } of bets) warn(`  ${words}: ${game}, ${startsAt}`);
    throw new VerbRefused(why ?? 'The line is not a bet on a game of the next 36 hours.');
  }
  if (why !== null) warn(why);
  const { words, day, oddsAmerican, stakeUnits, ...selection } = bet;
  if (oddsAmerican === null) throw new VerbRefused('The line has no odds.');
  if (stakeUnits === null) throw new VerbRefused('The line has no stake, such as 1u.');
  const chosen = { ...selection, oddsAmerican, stakeUnits };
  const intent = pickIntent(author, { ...chosen, day });
  say(`${words}: ${bet.game}, ${bet.startsAt}`);
  const { rows } = await answered(
    site,
    calls.checkPicks({ body: { capperHandle: author.capper, ...chosen } }),
  );
  const [checked] = rows;
  if (checked?.reason !== undefined) throw new VerbRefused(`The pick would be refused: ${checked.reason}.`);
  say(checked?.sentence ?? '');
  say(`Signing as ${author.capper} for Public Picks at ${site}, whose log is ${origin}.`);
  if (dryRun) {
    say(JSON.stringify(intent, null, 2));
    return;
  }
  const posted = await answered(site, calls.postSignedPick({ body: await signedPick(author, intent) }));
  say(`Posted: ${posted.url}`);
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
function read(file: string): KeyFile {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (error) {
    throw new VerbRefused(`Cannot read the key: ${(error as Error).message}.`);
  }
  try {
    if ((fstatSync(opened).mode & 0o077) !== 0)
      throw new VerbRefused(`Others may read ${file}. Run: chmod 600 ${file}`);
    const given = plainObject(JSON.parse(readFileSync(opened, 'utf8')), 'it');
    for (const name of ['site', 'capper', 'origin', 'seed']) text(given[name], name);
    return given as unknown as KeyFile;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new VerbRefused(`${file} is not a key: ${error.message}.`);
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** The site answered with a refusal. */
class Refused extends VerbRefused {}

/** Returns the answer of a call. @throws VerbRefused with a sentence */
async function answered<T>(site: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof ApiError)) throw new VerbRefused(`Cannot reach ${site}: ${message}.`);
    throw error.status >= 500 ? new VerbRefused(message) : new Refused(message);
  }
}
