/** An error that the user can act on: the command line reports its message alone, without a stack trace. */
export class ExpectedError extends Error {}
