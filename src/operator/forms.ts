import type { KindName } from '../intake/kinds.ts';
import type { By } from './actions.ts';
import { capperStep, inviteStep, noticeStep, revokeStep } from './capper-forms.ts';
import { byForm, type ChangeDeps } from './changes.ts';
import { ofCapper, ofGame } from './choosing.ts';
import { addGameStep, resultStep, scoreStep, statsStep } from './game-forms.ts';
import { joinByForm, joinStep } from './joins.ts';
import { invitation, revocation } from './keys.ts';
import { pickStep } from './pick-form.ts';
import type { Step, StepContext } from './row-form.ts';

/** A task on the operator's page, in steps that end with a review. */
export interface Form {
  title: string;
  about: string;
  step(context: StepContext): Promise<Step>;
  /** The kind of its rows; or what makes its change, and describes it or throws the reason. */
  stores: KindName | ((by: By, row: unknown, deps: ChangeDeps) => Promise<string>);
}

/** Forms by path: `/forms/picks`. Changes that are not rows are recorded under it, too. */
export const forms: Readonly<Record<string, Form>> = {
  picks: { title: 'Post a pick', about: 'Capper, game, and bet.', step: pickStep, stores: 'picks' },
  scores: {
    title: 'Set a score',
    about: 'A final score, or a postponed or canceled game.',
    step: ofGame(scoreStep),
    stores: 'games',
  },
  results: {
    title: 'Set a result',
    about: 'For a bet that no score decides.',
    step: ofGame(resultStep),
    stores: 'results',
  },
  stats: {
    title: 'Set player statistics',
    about: "A player's box score.",
    step: ofGame(statsStep),
    stores: 'stats',
  },
  games: { title: 'Add a game', about: 'Teams and start.', step: addGameStep, stores: 'games' },
  joins: {
    title: 'Join two games',
    about: 'One game that is stored twice.',
    step: joinStep,
    stores: joinByForm,
  },
  cappers: {
    title: 'Add or change a capper',
    about: 'Name, tier, and verification.',
    step: capperStep,
    stores: 'cappers',
  },
  invites: {
    title: 'Invite a capper',
    about: 'A link to set up their own key.',
    step: ofCapper(inviteStep),
    stores: byForm(invitation),
  },
  revocations: {
    title: 'Revoke a key',
    about: 'For a capper who lost a device.',
    step: ofCapper(revokeStep),
    stores: byForm(revocation),
  },
  notices: {
    title: 'Add a notice',
    about: 'A public sentence in the log.',
    step: noticeStep,
    stores: 'notices',
  },
};
