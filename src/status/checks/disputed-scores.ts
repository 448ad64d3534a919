import { weighStatements } from '../../sources/source-scores.ts';
import { type Statement, statementText } from '../../sources/verdict.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

/** A disputed game is not graded until the sources agree or an operator posts its result. */
export const disputedScoresCheck = ageCheck({
  name: 'disputed-scores',
  title: 'Disputed scores',
  about: 'How long sources have disagreed about the result of a game.',
  thresholds: { degraded: 1, down: 86_400 },
  runbook: {
    means: 'Sources disagree about a result. The game is not graded until they agree.',
    readers: 'Picks on a game stay pending because sources disagree about its score.',
    lookAt: '`npm run cli -- waiting`, which lists what each source reports.',
    first: "Check the league's own site, then set the score on the operator's page.",
  },
  dependsOn: ['database'],
  async measure({ database, now }) {
    const disputes = (await weighStatements(database, now)).flatMap(({ game, verdict }) =>
      verdict.verdict === 'disagree' ? { game, statements: verdict.statements } : [],
    );
    if (disputes.length === 0) return { seconds: 0, value: 0, message: 'Sources agree about all results.' };
    const since = (statements: readonly Statement[]) => Math.max(...statements.map(({ saidAt }) => saidAt));
    disputes.sort((a, b) => since(a.statements) - since(b.statements));
    const [{ game, statements }] = disputes as [(typeof disputes)[number]];
    const seconds = (now - since(statements)) / 1000;
    return {
      seconds,
      value: disputes.length,
      message:
        `Sources disagree about ${counted(disputes.length, 'game')}; set the score to decide. The oldest, for ` +
        `${span(seconds)}: ${game.sport}: ${game.name}: ${statements.map(statementText).join(', ')}.`,
    };
  },
});
