import { weighSayings } from '../../sources/source-scores.ts';
import { type Said, saidText } from '../../sources/verdict.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

/** Games about whose end sources contradict each other: nothing of them is graded until they agree or an operator posts the game. */
export const disputedScoresCheck = ageCheck({
  name: 'disputed-scores',
  title: 'Disputed scores',
  about: 'How long sources have contradicted each other about how a game ended.',
  thresholds: { degraded: 1, down: 86_400 },
  restsOn: ['database'],
  async look({ database, now }) {
    const disputes = (await weighSayings(database, now)).flatMap(({ game, verdict }) =>
      verdict.verdict === 'disagree' ? { game, saids: verdict.saids } : [],
    );
    if (disputes.length === 0)
      return { seconds: 0, value: 0, message: 'Sources agree about how games ended.' };
    const since = (saids: readonly Said[]) => Math.max(...saids.map(({ saidAt }) => saidAt));
    disputes.sort((a, b) => since(a.saids) - since(b.saids));
    const [{ game, saids }] = disputes as [(typeof disputes)[number]];
    const seconds = (now - since(saids)) / 1000;
    return {
      seconds,
      value: disputes.length,
      message:
        `${counted(disputes.length, 'game')} waiting for sources to agree or for the operator to post the game, the first for ` +
        `${span(seconds)}: ${game.sport}: ${game.name}: ${saids.map(saidText).join(', ')}.`,
    };
  },
});
