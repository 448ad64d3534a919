import { createLogger } from '../../src/platform/logger.ts';

/** A log that writes nothing. */
export const quiet = createLogger('test', 'silent');
