const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/** The part of this process's environment that every started process inherits. It contains no setting of the service. */
export const baseEnvironment = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
