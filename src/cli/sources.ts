import { Command } from 'commander';
import { type Game, holdingStartOf, startWords } from '../games/game.ts';
import { type PickToCheck, priceChecks } from '../ledger/grading/price-checks.ts';
import { createClock, iso } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Transaction } from '../platform/database.ts';
import { leftOutText } from '../sources/answer.ts';
import { type SourceName, sources } from '../sources/index.ts';
import { polled, type Trial, trySource } from '../sources/polls.ts';
import { readRuns, type SourceRun } from '../sources/runs.ts';
import { secondOpinions } from '../sources/second-opinion.ts';
import type { Source } from '../sources/source.ts';
import { type UnendedGame, weighStatements } from '../sources/source-scores.ts';
import { statementText } from '../sources/verdict.ts';
import { inSession, onDatabase } from './session.ts';
import { type ConfigOf, type Say, VerbRefused } from './verb.ts';

export function sourcesVerb(config: ConfigOf, say: Say): Command {
  const verb = new Command('sources')
    .description('shows each source: last answer, result, credits, and next poll')
    .action(async () => {
      const lines = await inSession(config('operator'), ({ transaction, now }) => listing(transaction, now));
      say(lines.join('\n'));
    });
  verb
    .command('try')
    .description('polls a source once and prints what it would store, changing nothing')
    .argument('<source>', sources.map(({ name }) => name).join(', '))
    .argument(
      '[part]',
      "a league or sport as in the source's setting, such as nba; default: all that are set",
    )
    .action(async (given: string, part: string | undefined) => {
      const source: Source | undefined = sources.find(({ name }) => name === given);
      if (source === undefined)
        throw new VerbRefused(`There is no source ${given}: ${sources.map(({ name }) => name).join(', ')}.`);
      const name = source.name as SourceName;
      if (part !== undefined && polled[name].only === undefined)
        throw new VerbRefused(`${source.title} can only be polled as a whole: omit the league.`);
      if (part === undefined && (source.offers.prices?.credits ?? 0) > 0)
        throw new VerbRefused(
          `${source.title} costs credits: name one of its sports, such as basketball_nba.`,
        );
      const { database: settings, process, sources: sourceSettings } = config('ingest');
      await onDatabase(settings.url, 'cli', async (database) => {
        const clock = createClock(process.clock);
        const trial = await trySource(database, clock, sourceSettings, name, part);
        say(trialText(source, trial).join('\n'));
      });
    });
  return verb;
}

async function listing(transaction: Transaction, now: number): Promise<string[]> {
  const runs = [...(await readRuns(transaction, '')).values()];
  const unended = await weighStatements(transaction, now);
  return [
    ...sources.flatMap((source) => {
      const own = runs.filter(
        (run) => run.source === source.name || run.source.startsWith(`${source.name}/`),
      );
      const state = own.length === 0 ? `off: ${source.setting} is not set` : `${own.length} feeds`;
      return [`${source.title}, for ${offersText(source)}: ${state}`, ...own.flatMap(runText)];
    }),
    ...(await opinionsText(transaction, now)),
    ...(await unseenText(transaction, now)),
    'No source has scores for tennis: post its results by hand.',
    ...waiting(unended),
  ];
}

async function opinionsText(transaction: Transaction, now: number): Promise<string[]> {
  const opinions = await secondOpinions(transaction, now);
  if (opinions.length === 0) return [];
  return [
    'Listed differently:',
    ...opinions.map(
      ({ sport, name, by, startsAt, at, otherStart }) =>
        `  ${sport}: ${name}: ${by} ${iso(startsAt)} | ${at} ${otherStart === null ? 'not listed' : iso(otherStart)}`,
    ),
  ];
}

const day = 86_400_000;

/** Counts live picks of the last day that have no price to be compared with; they do not count (docs/rules/prices.md). */
async function unseenText(transaction: Transaction, now: number): Promise<string[]> {
  const picks: PickToCheck[] = await transaction('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .where('p.provenance', 'live')
    .where('p.posted_at', '>', new Date(now - day))
    .select(
      inCamelCase(
        'p.game_id g.sport p.provenance p.market p.subject p.side p.line_e3 p.odds_american p.book p.posted_at',
      ),
    )
    .select({ startsAt: transaction.raw(holdingStartOf) });
  const checks = await priceChecks(transaction, picks);
  const unseen = checks.filter((check) => check?.verdict === 'unseen').length;
  return unseen === 0
    ? []
    : [`${unseen} of ${picks.length} picks of the last day are unseen: no source has a price for them.`];
}

function offersText({ offers }: Source): string {
  return Object.entries(offers)
    .map(([kind, { credits }]) => (credits === 0 ? `${kind} (free)` : kind))
    .join(', ');
}

function runText(run: SourceRun): string[] {
  const { source, ok, ranAt, nextAt, message, leftOut, failures } = run;
  const state = ranAt === null ? 'not polled yet' : ok ? 'ok' : `failing, ${failures} times in a row`;
  const asked = ranAt === null ? '' : `, polled ${iso(ranAt)}`;
  const next = nextAt === null ? '' : `, next ${iso(nextAt)}`;
  const left = leftOutText(leftOut);
  return [
    `  ${source}: ${state}${asked}${next}`,
    `    ${message}`,
    ...(left === '' ? [] : [`    Left out: ${left}.`]),
    ...(run.quotaRemaining === null
      ? []
      : [`    Credits: ${run.quotaRemaining} left, ${run.quotaUsed ?? 0} used.`]),
  ];
}

function waiting(unended: readonly UnendedGame[]): string[] {
  if (unended.length === 0) return [];
  return [
    'Waiting:',
    ...unended.map(({ game, statements, verdict }) => {
      const text = statements
        .map((one) => `${statementText(one)}${one.note === null ? '' : ` (${one.note})`}`)
        .join(', ');
      const why =
        verdict.verdict === 'disagree'
          ? 'they contradict each other, so post the game to decide'
          : verdict.verdict === 'unscored'
            ? 'there is no score to grade by, so another source or a posted game decides'
            : verdict.verdict === 'wait'
              ? `it counts from ${iso(verdict.until)} on`
              : 'it is about to count';
      return `  ${gameText(game)}: ${text}; ${why}.`;
    }),
  ];
}

function gameText({ sport, name, ...when }: Game): string {
  return `${sport}: ${name} (${startWords(when)})`;
}

const shown = 40;

function trialText(source: Source, { runs, added, changed, prices, unended }: Trial): string[] {
  const games = (title: string, list: readonly Game[]) => [
    `${list.length} ${title}`,
    ...list.slice(0, shown).map((game) => {
      const { status, awayScore, homeScore } = game;
      return `  ${gameText(game)}: ${homeScore === null ? status : `${status} ${awayScore}-${homeScore}`}`;
    }),
    ...(list.length > shown ? [`  and ${list.length - shown} more`] : []),
  ];
  return [
    `${source.title}, tried: nothing was stored.`,
    ...(runs.length === 0 ? [`It is off: ${source.setting} is not set.`] : runs.flatMap(runText)),
    ...games('games would be added', added),
    ...games('games would change', changed),
    `${prices} prices would be added`,
    ...(source.offers.prices !== undefined && prices === 0
      ? ['Prices are requested from 24 hours before a start, if credits can be spent.']
      : []),
    ...waiting(unended),
  ];
}
