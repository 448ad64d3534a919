import { resolve } from 'node:path';
import { joinedScript } from '../../src/pages/joined-script.ts';

/** The functions that {@link verifierScript} makes global. */
export type Verifier = typeof import('../../src/proof/verifier-key.ts') &
  typeof import('../../src/proof/verify-receipt.ts');

/** Gives a page the code with which /verify checks receipts, joined as the site joins it. */
export const verifierScript = `(() => {${joinedScript(resolve(import.meta.dirname, 'verifier.client.js'))}})()`;
