import type { Capper } from '../cappers/cappers.ts';
import type { Game } from '../games/game.ts';
import { capperStep, inviteStep, noticeStep, revokeStep } from './capper-forms.ts';
import { type Field, type Problems, taken } from './fields.ts';
import { addGameStep, resultStep, scoreStep, statsStep } from './game-forms.ts';
import { pickStep } from './pick-steps.ts';
import {
  addCapper,
  capperOptions,
  capperTyped,
  chosenGame,
  fieldsStep,
  gameStep,
  type Step,
  type StepContext,
} from './steps.ts';

/** What can be done on the operator's page: each in steps, the last of which is a review. */
export interface Form {
  /** The last part of its address, and the name of its actions. */
  kind:
    | 'picks'
    | 'results'
    | 'stats'
    | 'scores'
    | 'games'
    | 'cappers'
    | 'invites'
    | 'revocations'
    | 'notices';
  title: string;
  about: string;
  step(context: StepContext): Promise<Step>;
}

export const forms: readonly Form[] = [
  {
    ...{
      kind: 'picks',
      title: 'Post a pick',
      about: 'Capper, game, and bet; with a review before it is sealed.',
    },
    step: pickStep,
  },
  {
    ...{
      kind: 'scores',
      title: 'Set a score',
      about: 'How a game ended, or that it is postponed or canceled.',
    },
    step: (context) => ofGame(context, 'Set a score', scoreStep),
  },
  {
    ...{ kind: 'results', title: 'Set a result', about: 'Of a bet that no score grades.' },
    step: (context) => ofGame(context, 'Set a result', resultStep),
  },
  {
    ...{ kind: 'stats', title: 'Set player statistics', about: 'What a player did in a game.' },
    step: (context) => ofGame(context, 'Set player statistics', statsStep),
  },
  { ...{ kind: 'games', title: 'Add a game', about: 'Teams and start.' }, step: addGameStep },
  {
    ...{ kind: 'cappers', title: 'Add or change a capper', about: 'Name, tier, and verification.' },
    step: capperStep,
  },
  {
    ...{ kind: 'invites', title: 'Invite a capper', about: 'A link with which they sign their own picks.' },
    step: (context) => ofCapper(context, 'Invite a capper', inviteStep),
  },
  {
    ...{ kind: 'revocations', title: 'Revoke a key', about: 'Of a capper who lost a device.' },
    step: (context) => ofCapper(context, 'Revoke a key', revokeStep),
  },
  {
    ...{ kind: 'notices', title: 'Add a notice', about: 'A sentence for visitors, in the log.' },
    step: noticeStep,
  },
];

/** A step about a game, which is chosen first. */
async function ofGame(
  context: StepContext,
  title: string,
  step: (context: StepContext, game: Game, title: string) => Promise<Step>,
): Promise<Step> {
  const game = await chosenGame(context);
  return game === undefined
    ? gameStep(context, 'any', { title, kept: {}, lead: 'Choose the game.' })
    : step(context, game, title);
}

/** A step about a capper, who is chosen first. */
async function ofCapper(
  context: StepContext,
  title: string,
  step: (context: StepContext, capper: Capper, title: string) => Promise<Step>,
): Promise<Step> {
  const { database, values } = context;
  const problems: Problems = new Map();
  const field: Field = { name: 'capper', label: 'Capper', hint: 'Their name or handle.' };
  const typed = values.capper === undefined ? undefined : await capperTyped(database, values.capper);
  const capper = typed && taken(problems, 'capper', typed);
  if (capper !== undefined) return step(context, capper, title);
  return fieldsStep(context, {
    ...{ title, heading: 'Capper', links: [addCapper], problems, submit: 'Continue' },
    fields: [{ ...field, suggestions: await capperOptions(database) }],
  });
}
