const { PATH = '' } = process.env;

/** What every process that a test starts gets of this one's environment: no setting of the service. */
export const baseEnvironment = { PATH };
