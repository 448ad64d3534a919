// `npm start`: the whole service on one machine, from nothing (decisions: Running it). `npm run dev` adds `--watch`.

import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SettingsError } from '../platform/config/config.ts';
import { migrate } from '../platform/database.ts';
import { devOf, devOptions } from './dev.ts';
import { launch } from './launch.ts';
import { Refusal } from './refusal.ts';
import { stopRequest } from './stop-request.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal, requested } = stopRequest();

try {
  const { environment, stop } = await launch({
    root,
    environment: process.env,
    say,
    aborted: signal,
    dev: devOf(parseArgs({ options: devOptions }).values),
    migrate,
  });
  addresses(environment).forEach(say);
  await requested;
  say('Stopping ...');
  await stop();
  say('Stopped.');
} catch (error) {
  if (signal.aborted) say('Stopped.');
  else {
    const expected = error instanceof Refusal || error instanceof SettingsError;
    process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
process.exit();

/** What to open and what to type next. */
function addresses(environment: Record<string, string>): string[] {
  const { BASE_URL, OPERATOR_PORT, OPERATOR_TOKEN = '', DATA_DIR = '', DEMO } = environment;
  const tokenFile = join(DATA_DIR, 'operator-token');
  writeFileSync(tokenFile, OPERATOR_TOKEN, { mode: 0o600 });
  const shown = relative(root, tokenFile);
  const operator = `http://127.0.0.1:${OPERATOR_PORT}`;
  return [
    '',
    DEMO === '1'
      ? 'Public Picks is running on made-up demo data (DEMO=0 npm start: the real, empty ledger).'
      : 'Public Picks is running on the real ledger.',
    '',
    `  Site        ${BASE_URL}`,
    `  Operator    ${operator}   Authorization: Bearer $(cat ${shown})`,
    `  Queues      ${operator}/queues   any user name, the same token as the password`,
    '  Fill it     npm run ingest -- <file or folder> ...   in another terminal',
    '  Stop it     Ctrl-C',
    '',
  ];
}
