import { findTwins } from '../../games/twins.ts';
import { iso } from '../../platform/clock.ts';
import { ageCheck, unchangedFor } from '../check.ts';
import { counted } from '../span.ts';

const name = 'twin-games';

/** The prices, picks, and score of one fixture are apart while it is stored as two games. */
export const twinGamesCheck = ageCheck({
  name,
  title: 'Games stored twice',
  about: 'How long two games have looked like one fixture.',
  thresholds: { degraded: 1, down: 30 * 86_400 },
  runbook: {
    means:
      'Two games of one sport start within an hour, and share an opponent: probably one game under two names.',
    readers: 'Picks on one game can be shown on two pages, without prices on one of them.',
    lookAt: '`npm run cli -- join`, which lists them.',
    first: "Join them on the operator's page or with `npm run cli -- join`. The service then knows the name.",
  },
  dependsOn: ['database'],
  async measure(context) {
    const found = await findTwins(context.database, context.now);
    const [first] = found;
    if (first === undefined) return { seconds: 0, value: 0, message: 'No games look like one fixture.' };
    const { to, from, swapped } = first;
    const held = unchangedFor(context, name, `${to.id} ${from.id}`);
    return {
      ...held,
      atLeast: 'degraded',
      value: found.length,
      message:
        `${counted(found.length, 'pair')} of games may be one fixture, such as ${to.sport}: ${to.name} and ${from.name}, ` +
        `${iso(to.startsAt!)}${swapped ? ', with home and away swapped' : ''}. Join them: npm run cli -- join ${to.id} ${from.id}`,
    };
  },
});
