/**
 * Remembers the answers of a function of short texts, because files, polls, and boards ask for the same few repeatedly. Forgets all of them
 * once there are too many.
 */
export function remembering<Args extends readonly (string | number | null | undefined)[], Answer>(
  read: (...args: Args) => Answer,
  most = 20_000,
): (...args: Args) => Answer {
  const answers = new Map<string, Answer>();
  return (...args) => {
    const key = args.join('\n');
    if (answers.has(key)) return answers.get(key)!;
    const answer = read(...args);
    if (answers.size >= most) answers.clear();
    answers.set(key, answer);
    return answer;
  };
}
