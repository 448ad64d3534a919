/** An instant in milliseconds since the start of 1970 in UTC, as `Date.now()` returns it. Global, like `number`. */
type EpochMs = number;
