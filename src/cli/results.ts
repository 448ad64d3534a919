import { Command } from 'commander';
import { applyResults, checkResult, type ResultRow } from '../games/results.ts';
import { gradeDueJob } from '../jobs/grading.ts';
import type { Job } from '../jobs/job.ts';
import { seal } from '../jobs/sealing.ts';
import { recordNotices } from '../ledger/notices.ts';
import type { Config } from '../platform/config/config.ts';
import { given, inSession, type Session } from './session.ts';
import type { Say } from './verb.ts';
import { VerbRefused } from './verb.ts';

interface Options {
  sport: string;
  game: string;
  startsAt?: string;
  market: string;
  side: string;
  line?: string;
  result: string;
  finalAt?: string;
}

/** `results`: sets the result of a market that no score can grade. It becomes a notice in the log. */
export function resultsVerb(config: () => Config, say: Say): Command {
  const verb = new Command('results').description('sets results of markets that no score can grade');
  verb
    .command('set')
    .description('sets the result of one side of a market; the first one stands')
    .requiredOption('--sport <sport>')
    .requiredOption('--game <game>', 'its name, such as "Gulls @ Foxes"')
    .option('--starts-at <instant>', 'its first announced start; left out for a game without one')
    .requiredOption('--market <market>')
    .requiredOption('--side <side>')
    .option('--line <line>')
    .requiredOption('--result <result>', 'win, loss, push or void')
    .option('--final-at <instant>', 'when it was decided; default: now')
    .action(async (options: Options) => {
      const { said, stands } = await inSession(config(), (session) => set(session, options));
      // The notice of a contradiction stays, so this is told once its transaction has committed.
      if (!stands) throw new VerbRefused(said);
      say(said);
    });
  return verb;
}

async function set(
  { transaction, now, afterwards }: Session,
  { line, startsAt, finalAt, ...rest }: Options,
): Promise<{ said: string; stands: boolean }> {
  const row = given(
    checkResult({
      ...rest,
      startsAt: startsAt ?? null,
      finalAt: finalAt ?? null,
      line: line === undefined ? null : line.trim() === '' ? line : Number(line),
    }),
  );
  const { outcomes, corrections } = await applyResults(transaction, [row], { now, imported: false });
  const [outcome] = outcomes;
  if (outcome?.outcome === 'refused' || outcome?.outcome === 'left out')
    throw new VerbRefused(outcome.reason);
  const [contradiction] = corrections;
  if (contradiction !== undefined) {
    await recordNotices(transaction, 'correction', [contradiction], now);
    afterwards(seal as Job);
    return { said: contradiction, stands: false };
  }
  if (outcome?.outcome === 'unchanged')
    return { said: 'It stands so already: nothing was changed.', stands: true };
  const said = sentenceOf(row);
  await recordNotices(transaction, 'remark', [said], now);
  afterwards(gradeDueJob as Job, seal as Job);
  return { said, stands: true };
}

function sentenceOf({ sport, game, startsAt, market, side, line, result }: ResultRow): string {
  const start = startsAt == null ? 'no announced start' : new Date(startsAt).toISOString();
  const priced = [market, side, ...(line == null ? [] : [line])].join(' ');
  return `The result of ${priced} in ${sport}: ${game} (${start}) was set to ${result} by the operator.`;
}
