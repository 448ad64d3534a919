/** Returns the error that a promise was rejected with. Fails if it was not rejected. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was accepted');
}
