import { createLogger } from '../../src/logger.ts';

/** A log that writes nothing. */
export const quiet = createLogger('test', 'silent');
