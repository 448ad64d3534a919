const { PATH = '' } = process.env;

/** The part of this process's environment that every started process inherits. It contains no setting of the service. */
export const baseEnvironment = { PATH };
