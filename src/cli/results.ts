import { Command, Option } from 'commander';
import { flagOf } from '../../packages/client/src/commands/command.ts';
import { inGames } from '../intake/of-games.ts';
import { applyResults, checkResult, type ResultRow, result, selectionText } from '../intake/result.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { inSession, type Session, validated } from './session.ts';
import { type ConfigOf, type Say, VerbRefused } from './verb.ts';

export function resultsVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('results').description('sets results of markets that scores cannot grade');
  const set = verb
    .command('set')
    .description('sets the result of one side of a market; the first result is final');
  const required: readonly string[] = ['sport', 'game', 'market', 'result'];
  for (const [field, { about }] of Object.entries(result.fields))
    if (field !== 'half')
      set.addOption(
        new Option(`${flagOf(field)} <${flagOf(field).slice(2)}>`, about).makeOptionMandatory(
          required.includes(field),
        ),
      );
  set.action(async (options: Given) => {
    const { message, applied } = await inSession(config('operator'), (session) => store(session, options));
    // Thrown after the commit, which keeps the notice of a contradiction.
    if (!applied) throw new VerbRefused(message);
    say(message);
  });
  return verb;
}

type Given = Partial<Record<keyof ResultRow, string>>;

async function store(
  { transaction, now, afterCommit }: Session,
  { line, ...given }: Given,
): Promise<{ message: string; applied: boolean }> {
  const written = line === undefined ? null : line.trim() === '' ? line : Number(line);
  let row = validated(
    checkResult({ ...(given.day === undefined && { startsAt: null }), ...given, line: written }),
  );
  let contradiction: string | undefined;
  const apply = inGames<ResultRow>(async (transaction, named, intake) => {
    [row = row] = named;
    const applied = await applyResults(transaction, named, intake);
    [contradiction] = applied.corrections;
    return applied.outcomes;
  });
  const [outcome] = await apply(transaction, [row], { now, imported: false });
  if (outcome?.outcome === 'refused' || outcome?.outcome === 'left out')
    throw new VerbRefused(`The result is refused: ${outcome.reason}.`);
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
  const { sport, game, startsAt, day, result } = row;
  const start = startsAt == null ? (day ?? 'no announced start') : new Date(startsAt).toISOString();
  return `The result of ${selectionText(row)} in ${sport}: ${game} (${start}) was set to ${result} by the operator.`;
}
