/** An error that the user can fix. The command line prints only its message, without a stack trace. */
export class ExpectedError extends Error {}
