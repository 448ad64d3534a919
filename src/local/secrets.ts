import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptJson } from './kept.ts';

/** What the service needs and nobody has to think up on one's own machine. */
export interface Secrets {
  OPERATOR_TOKEN: string;
  SECRET_KEY: string;
  LEDGER_KEY: string;
}

/**
 * The secrets of a data folder: made once, then kept in its `secrets.json`. The demo ledger has a signing key
 * of its own, so that nothing it signs can ever pass for the real one's.
 */
export function localSecrets(dataDir: string, demo: boolean): Secrets {
  const { DEMO_LEDGER_KEY, LEDGER_KEY, ...rest } = keptJson(join(dataDir, 'secrets.json'), {
    OPERATOR_TOKEN: () => randomBytes(32).toString('hex'),
    SECRET_KEY: () => randomBytes(32).toString('base64'),
    LEDGER_KEY: () => randomBytes(32).toString('base64'),
    DEMO_LEDGER_KEY: () => randomBytes(32).toString('base64'),
  });
  return { ...rest, LEDGER_KEY: demo ? DEMO_LEDGER_KEY : LEDGER_KEY };
}
