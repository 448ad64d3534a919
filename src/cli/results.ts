import { Command } from 'commander';
import { applyResults, checkResult, type ResultRow, selectionText } from '../intake/result.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { inSession, type Session, validated } from './session.ts';
import type { Say } from './verb.ts';
import { type ConfigOf, VerbRefused } from './verb.ts';

interface Options {
  sport: string;
  game: string;
  startsAt?: string;
  market: string;
  subject?: string;
  side?: string;
  line?: string;
  result: string;
  reason?: string;
  finalAt?: string;
}

/** `results`: sets the result of a market that scores cannot grade. Each one is a notice in the log. */
export function resultsVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('results').description('sets results of markets that scores cannot grade');
  verb
    .command('set')
    .description('sets the result of one side of a market; the first result is final')
    .requiredOption('--sport <sport>')
    .requiredOption('--game <game>', 'name of the game, such as "Gulls @ Foxes"')
    .option('--starts-at <instant>', 'first announced start of the game; omit if it has none')
    .requiredOption('--market <market>')
    .option('--subject <subject>', 'player, team, or question that the market is about')
    .option('--side <side>')
    .option('--line <line>')
    .requiredOption('--result <result>', 'win, loss, push, or void')
    .option('--reason <reason>', 'why the bet is void before the start; leave out side and line')
    .option('--final-at <instant>', 'when it was decided; default: now')
    .action(async (options: Options) => {
      const { message, applied } = await inSession(config('operator'), (session) => set(session, options));
      // Thrown after the commit, which keeps the notice of a contradiction.
      if (!applied) throw new VerbRefused(message);
      say(message);
    });
  return verb;
}

async function set(
  { transaction, now, afterCommit }: Session,
  { line, startsAt, finalAt, ...rest }: Options,
): Promise<{ message: string; applied: boolean }> {
  const row = validated(
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
    throw new VerbRefused(`The result is refused: ${outcome.reason}.`);
  const [contradiction] = corrections;
  if (contradiction !== undefined) {
    await recordNotices(transaction, 'correction', [contradiction], now);
    afterCommit(seal as Job);
    return { message: contradiction, applied: false };
  }
  if (outcome?.outcome === 'unchanged') return { message: 'This result is already set.', applied: true };
  if (row.reason != null) {
    afterCommit(gradeDueJob as Job, seal as Job);
    return { message: `Picks on ${selectionText(row)} that were posted until now are void.`, applied: true };
  }
  const message = sentenceOf(row);
  await recordNotices(transaction, 'remark', [message], now);
  afterCommit(gradeDueJob as Job, seal as Job);
  return { message, applied: true };
}

function sentenceOf(row: ResultRow): string {
  const { sport, game, startsAt, result } = row;
  const start = startsAt == null ? 'no announced start' : new Date(startsAt).toISOString();
  return `The result of ${selectionText(row)} in ${sport}: ${game} (${start}) was set to ${result} by the operator.`;
}
