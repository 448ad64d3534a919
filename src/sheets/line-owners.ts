import { betText } from '../rules/bet-text/print.ts';
import type { RowRead } from './row.ts';
import { gradedBy } from './scores.ts';
import type { Sheet } from './sheet.ts';

/** Reports whether the sheet has its line beside the teams, before all columns of the bet, as schedules have that of the home team. */
export function areLinesOfGames({ columns }: Pick<Sheet, 'columns'>): boolean {
  const at = (field: Parameters<typeof columns.get>[0]) => columns.get(field)?.[0]?.at;
  const line = at('line');
  const bet = (['pick', 'description', 'team', 'side', 'market'] as const).flatMap(
    (field) => at(field) ?? [],
  );
  return line !== undefined && line < Math.min(...bet) && (at('home') ?? at('game')) !== undefined;
}

type Lined = RowRead & { notes: string[] };

/**
 * Decides whose the lines beside the teams are, by the rows' own results, and turns the home team's around for bets on the away team.
 * @returns whether it stays open
 */
export function ownLines(drafts: readonly Lined[], { choices, guesses, questions }: Sheet): boolean {
  const open = drafts.filter(({ isLineOpen }) => isLineOpen);
  const turned = (draft: Lined) => ({ ...draft, bet: { ...draft.bet, line: -draft.bet.line! } });
  const fits = (draft: Lined) => draft.own !== undefined && gradedBy(draft, 0)?.result === draft.own.result;
  const deciding = open.filter(
    (draft) => draft.written?.order === undefined && fits(draft) !== fits(turned(draft)),
  );
  const ofPick = deciding.filter(fits).length;
  const ofHome = deciding.length - ofPick;
  const proven = deciding.length > 0 && Math.min(ofPick, ofHome) <= Math.max(ofPick, ofHome) * 0.1;
  const said = choices.answers.get('lines') ?? (proven ? (ofPick > ofHome ? 'pick' : 'home') : undefined);
  if (open.length === 0 || said === 'pick') return false;
  if (said !== 'home') {
    questions.push({
      key: 'lines',
      text: `Are the lines beside the teams those of the home team, or of the team that was picked (${open.length} rows)?`,
      choices: ['pick', 'home'],
      otherwise: 'Spreads on the away team are refused.',
    });
    return true;
  }
  guesses.push('The lines beside the teams are those of the home team.');
  for (const draft of open) {
    Object.assign(draft, turned(draft));
    draft.pick.line = draft.bet.line;
    draft.notes.push(`The line is that of the home team, so the bet is ${betText(draft.bet)}.`);
  }
  return false;
}
