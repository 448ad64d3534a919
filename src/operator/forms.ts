import type { Capper } from '../cappers/cappers.ts';
import type { Game } from '../games/game.ts';
import { capperStep, inviteStep, noticeStep, revokeStep } from './capper-forms.ts';
import { accept, type Field, type Problems } from './fields.ts';
import { addGameStep, resultStep, scoreStep, statsStep } from './game-forms.ts';
import { joinStep } from './joins.ts';
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

/** A task on the operator's page, in steps that end with a review. */
export interface Form {
  /** The last part of its path, and the name of its actions. */
  kind:
    | 'picks'
    | 'results'
    | 'stats'
    | 'scores'
    | 'games'
    | 'cappers'
    | 'invites'
    | 'revocations'
    | 'joins'
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
      about: 'Capper, game, and bet.',
    },
    step: pickStep,
  },
  {
    ...{
      kind: 'scores',
      title: 'Set a score',
      about: 'A final score, or a postponed or canceled game.',
    },
    step: (context) => ofGame(context, 'Set a score', scoreStep),
  },
  {
    ...{ kind: 'results', title: 'Set a result', about: 'For a bet that no score decides.' },
    step: (context) => ofGame(context, 'Set a result', resultStep),
  },
  {
    ...{ kind: 'stats', title: 'Set player statistics', about: "A player's box score." },
    step: (context) => ofGame(context, 'Set player statistics', statsStep),
  },
  { ...{ kind: 'games', title: 'Add a game', about: 'Teams and start.' }, step: addGameStep },
  {
    ...{ kind: 'joins', title: 'Join two games', about: 'One game that is stored twice.' },
    step: joinStep,
  },
  {
    ...{ kind: 'cappers', title: 'Add or change a capper', about: 'Name, tier, and verification.' },
    step: capperStep,
  },
  {
    ...{ kind: 'invites', title: 'Invite a capper', about: 'A link to set up their own key.' },
    step: (context) => ofCapper(context, 'Invite a capper', inviteStep),
  },
  {
    ...{ kind: 'revocations', title: 'Revoke a key', about: 'For a capper who lost a device.' },
    step: (context) => ofCapper(context, 'Revoke a key', revokeStep),
  },
  {
    ...{ kind: 'notices', title: 'Add a notice', about: 'A public sentence in the log.' },
    step: noticeStep,
  },
];

/** Returns a step about a game, or the step that chooses the game. */
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

/** Returns a step about a capper, or the step that chooses the capper. */
async function ofCapper(
  context: StepContext,
  title: string,
  step: (context: StepContext, capper: Capper, title: string) => Promise<Step>,
): Promise<Step> {
  const { database, values } = context;
  const problems: Problems = new Map();
  const field: Field = { name: 'capper', label: 'Capper', hint: 'Name or handle.' };
  const typed = values.capper === undefined ? undefined : await capperTyped(database, values.capper);
  const capper = typed && accept(problems, 'capper', typed);
  if (capper !== undefined) return step(context, capper, title);
  return fieldsStep(context, {
    ...{ title, heading: 'Capper', links: [addCapper], problems, submit: 'Continue' },
    fields: [{ ...field, suggestions: await capperOptions(database) }],
  });
}
