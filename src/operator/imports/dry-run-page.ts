import { sportTag } from '../../boards/formats/pick-text.ts';
import { fileKinds } from '../../intake/kinds.ts';
import { counted } from '../../pages/figures.ts';
import { type Html, html } from '../../pages/html.ts';
import { plain } from '../../pages/labels.ts';
import { alert, type Field, fieldList } from '../../pages/parts/fields.ts';
import { empty, pageHead, section } from '../../pages/parts/section.ts';
import { dateText } from '../../pages/times.ts';
import { labelOf, sheetFields } from '../../sheets/columns.ts';
import { formatText, sheetOddsFormats } from '../../sheets/odds-column.ts';
import type { PlannedRow } from '../../sheets/plan.ts';
import type { Question } from '../../sheets/sheet.ts';
import { isAssumed } from '../../sources/waiting-imports.ts';
import { operatorFrame, type Viewer } from '../frame.ts';
import { answerPrefix, columnPrefix, type GivenChoices, withPageLabels } from './choices.ts';
import { type DryRun, type Imported, isNew, isStored, type ReadFile } from './dry-run.ts';
import {
  countTable,
  kindNouns,
  listed,
  locationText,
  noteList,
  readable,
  refusedItem,
  remark,
  rowItem,
} from './parts.ts';

interface DryRunView {
  viewer: Viewer;
  id: string;
  name: string;
  sports: readonly string[];
  given: GivenChoices;
  /** Absent if the file cannot be read. */
  run?: DryRun | undefined;
  /** Problems, shown first. */
  faults: readonly string[];
}

/** Renders the dry run of a file, with its choices and the button that imports it. */
export function dryRunPage({ viewer, id, name, sports, given, run, faults }: DryRunView): string {
  const { file, trial } = run ?? {};
  const { plans = [], faults: tables = [], headers = [] } = file ?? {};
  const isOfSeveral = plans.length > 1;
  const rows = plans.flatMap((plan) => plan.rows.map((row) => ({ file: plan.name, ...row })));
  const tried = (trial?.refusals ?? []).filter(
    ({ file, line, reason }) =>
      !rows.some((row) => row.file === file && row.line === line && row.reason === reason),
  );
  const left = [
    ...rows.flatMap(({ file, line, reason, text, choices = [], notes }) =>
      reason === undefined
        ? []
        : refusedItem({ file, line, reason }, isOfSeveral, [
            text,
            ...choices.map((choice) => `Could be ${choice}`),
            ...notes,
          ]),
    ),
    ...tried.map((refusal) => refusedItem(refusal, isOfSeveral)),
  ];
  const stored = rows
    .filter(({ reason }) => reason === undefined)
    .map((row) => rowItem(locationText(row.file, row.line, isOfSeveral), row.text, remarksOn(row)));
  const guesses = [...plans.flatMap((plan) => plan.guesses.map(withPageLabels)), ...(trial?.odds ?? [])];
  const questions = [
    ...new Map(plans.flatMap((plan) => plan.questions).map((question) => [question.key, question])).values(),
  ];
  const games = new Map(
    rows.flatMap(({ game, isHomeGuessed }) =>
      game === undefined
        ? []
        : [[`${game.sport} ${game.game} ${game.startsAt}`, { ...game, isHomeGuessed }] as const],
    ),
  );
  const isBlocked = questions.some(({ otherwise }) => otherwise === undefined);
  const canImport = trial !== undefined && !isBlocked && isNew(trial);
  const isDone = trial !== undefined && isStored(trial);
  return operatorFrame(
    viewer,
    `Import ${name}`,
    html`${pageHead({
      eyebrow: 'Import: preview',
      title: name,
      lead: isDone
        ? 'All valid rows of this file are already stored.'
        : 'Nothing is stored yet. Check the rows, correct any mistakes, then import.',
    })}${section({
      heading: 'Summary',
      id: 'summary',
      body: html`${[...faults, ...tables].map((fault) => alert(readable(withPageLabels(fault))))}${
        trial === undefined ? empty('Nothing can be stored yet.') : countTable(trial.counts, false)
      }${canImport && html`<p><a href="#import">Go to the import button</a></p>`}`,
    })}${listed('Guesses', 'guesses', guesses.map(remark), {
      note: 'Assumptions about data that the file lacks.',
    })}${listed(
      'Questions',
      'questions',
      questions.map(({ text, otherwise = 'Nothing can be imported without an answer.' }) =>
        remark(`${text} ${otherwise}`),
      ),
      { note: 'The file does not decide these. Answer them below, and update the preview.' },
    )}${listed('Not stored', 'refused', left, {
      noun: 'row',
      note: 'Rows with problems. The others can be imported without them.',
    })}${listed(
      'New games',
      'games',
      [...games.values()].map(({ sport, game, startsAt, day, isHomeGuessed }) =>
        rowItem(sportTag(sport), game, [
          startsAt == null && day != null
            ? `On ${dateText(`${day}T12:00:00Z`)}, time unknown.`
            : `Starts ${readable(startsAt ?? 'at an unknown time')}.`,
          ...(isHomeGuessed === true ? ['The home team is a guess.'] : []),
        ]),
      ),
      { noun: 'game', note: 'Games that the import would add to the ledger.' },
    )}${listed('Would be stored', 'rows', stored, {
      noun: 'row',
      note: 'Imported picks. Their times are shown as claims.',
    })}${noteList(trial?.notes ?? new Map())}<form id="choices" method="post" action="/import/${id}">
${section({
  heading: 'Columns and choices',
  id: 'reading',
  note: 'Correct mistakes, and update the preview.',
  body: html`${answerFields(questions, given)}${otherFields(given, sports)}${columnFields(headers, given)}
<p class="actions"><button type="submit" name="do" value="look" class="second">Update preview</button></p>`,
})}${section({
  heading: 'Import',
  id: 'import',
  note: 'Ledger entries cannot be undone.',
  body: html`<input type="hidden" name="digest" value="${run?.digest ?? ''}">
${
  canImport
    ? html`<p>${importText(trial)} Importing the same file again changes nothing.</p>`
    : empty(isDone ? 'Nothing new. All valid rows are already stored.' : 'There is nothing to import yet.')
}
${
  canImport &&
  plans.some(isAssumed) &&
  html`<p class="field"><label class="check"><input type="checkbox" name="now" value="1"> Publish at once. Otherwise the picks wait 10 minutes and can be withdrawn.</label></p>
`
}<p class="actions">${canImport && html`<button type="submit" name="do" value="import">Import</button> `}<a href="/import">Choose another file</a></p>`,
})}</form>
`,
  );
}

/** Returns remarks on a row that would be stored. */
function remarksOn({ pick, result, notes }: PlannedRow): string[] {
  return [
    ...(pick?.source === 'day' ? ['Only the day of posting is known, and the pick is labeled so.'] : []),
    ...(result === undefined
      ? []
      : [
          `Result: ${result.half === true ? 'half ' : ''}${result.result}, because no score decides this bet.`,
        ]),
    ...notes,
  ];
}

function importText({ counts }: Imported): string {
  const parts = fileKinds.flatMap((kind) => {
    const count = counts[kind].added + counts[kind].updated;
    return count === 0 ? [] : [counted(count, kindNouns[kind])];
  });
  return `This stores ${parts.join(', ')}.`;
}

/** Renders a select for each column. Columns of several tables with the same header share the first one's. */
function columnFields(headers: ReadFile['headers'], given: GivenChoices): Html | false {
  const byName = new Map(headers.toReversed().map((each) => [each.header, each]));
  if (byName.size === 0) return false;
  const columns = headers.filter((each) => byName.get(each.header) === each);
  return html`<fieldset class="columns"><legend>Columns</legend>
${columns.map(({ header, field, by, example }, at) => {
  const chosen = given[columnPrefix + header];
  const recognized =
    field === undefined
      ? 'Skipped'
      : `${labelOf(field)}${by === 'content' ? ' (guessed from its cells)' : ''}`;
  return html`<p class="field"><label for="column-${at}">${header}</label>
<select id="column-${at}" name="${columnPrefix}${header}" aria-describedby="column-${at}-hint">
<option value="">${by === 'map' ? 'Automatic' : recognized}</option>
<option value="-"${chosen === '-' && html` selected`}>Skip</option>
${sheetFields.map((each) => html`<option value="${each}"${each === chosen && html` selected`}>${labelOf(each)}</option>`)}</select>
<span class="hint" id="column-${at}-hint">${example === '' ? 'All its cells are empty.' : `For example: ${example.slice(0, 80)}`}</span></p>
`;
})}</fieldset>
`;
}

/** Renders a select for each question, and keeps the answers already given. */
function answerFields(questions: readonly Question[], given: GivenChoices): Html | false {
  const kept = Object.entries(given).filter(
    ([name]) => name.startsWith(answerPrefix) && !questions.some(({ key }) => answerPrefix + key === name),
  );
  if (questions.length + kept.length === 0) return false;
  const fields = questions.map(
    ({ key, text, choices, otherwise }): Field => ({
      name: answerPrefix + key,
      label: text,
      optional: 'silently',
      none: otherwise ?? 'No answer',
      options: choices.map((value) => ({ value, label: plain(value) })),
    }),
  );
  return html`<fieldset><legend>Questions</legend>
${fieldList(fields, given)}${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}</fieldset>
`;
}

function otherFields(given: GivenChoices, sports: readonly string[]): Html {
  const none = 'Automatic';
  const fields: Field[] = [
    {
      name: 'capper',
      label: 'Capper',
      maxLength: 100,
      optional: 'silently',
      hint: 'For rows that name no capper.',
    },
    {
      name: 'sport',
      label: 'Sport',
      optional: 'silently',
      none,
      hint: 'For rows that name no sport.',
      options: sports.map((value) => ({ value, label: sportTag(value) })),
    },
    {
      name: 'unit',
      label: 'One unit is',
      maxLength: 20,
      optional: 'silently',
      keys: 'decimal',
      hint: 'An amount such as 25, if stakes are in money.',
    },
    {
      name: 'odds',
      label: 'Odds format',
      optional: 'silently',
      none,
      options: sheetOddsFormats.map((value) => ({ value, label: plain(formatText(value)) })),
    },
    {
      name: 'zone',
      label: 'Time zone',
      maxLength: 60,
      optional: 'silently',
      hint: 'For times without one, such as America/New_York.',
      suggestions: ['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'UTC', 'Europe/London'].map(
        (value) => ({ value, label: value }),
      ),
    },
  ];
  return html`<fieldset><legend>Missing from the file</legend>
${fieldList(fields, given)}</fieldset>
`;
}
