const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;

/**
 * What every process that a test starts gets of this one's environment: no setting of the service. Without the cache each one would
 * compile all that it loads.
 */
export const baseEnvironment = { PATH, NODE_COMPILE_CACHE };
