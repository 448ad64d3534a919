// Gives a page what verifies receipts, for tests that call it: joined as the scripts that the site serves.

import { parseVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';

Object.assign(window, { parseVerifierKey, verifyReceipt });
