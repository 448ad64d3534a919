/**
 * Requests a URL again and again, and keeps how long answers took.
 * @param everyMs pause between requests, in milliseconds
 */
export function watchAnswers(url: string, everyMs: number) {
  const faults: string[] = [];
  let longest = 0;
  let answers = 0;
  let stopped = false;
  const ask = async () => {
    const began = performance.now();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      await response.arrayBuffer();
      answers += 1;
      if (response.status !== 200) faults.push(`status ${response.status}`);
    } catch (error) {
      if (!stopped) faults.push(`${(error as Error).message} ${(error as Error).cause ?? ''}`);
    }
    longest = Math.max(longest, performance.now() - began);
    if (!stopped) setTimeout(() => void ask(), everyMs);
  };
  void ask();
  return {
    /** Requests that got no answer, or another one than 200. */
    faults,
    longestMs: () => longest,
    answers: () => answers,
    stop() {
      stopped = true;
    },
  };
}
