import { sportTag } from '../../boards/formats/pick-text.ts';
import { counted } from '../../pages/figures.ts';
import { type Html, html } from '../../pages/html.ts';
import { plain } from '../../pages/labels.ts';
import { empty, pageHead, section } from '../../pages/parts/section.ts';
import { oddsFormats } from '../../rules/odds-format.ts';
import { sheetFields } from '../../sheets/columns.ts';
import type { PlannedRow, SheetPlan } from '../../sheets/plan.ts';
import { kinds } from '../../sources/file-rows.ts';
import { alert, type Field, fieldList } from '../fields.ts';
import { operatorFrame, type Viewer } from '../frame.ts';
import { zones } from '../typed.ts';
import { columnPrefix, fieldWords, type GivenChoices, inPageWords } from './choices.ts';
import type { DryRun, Imported, ReadFile } from './dry-run.ts';
import { countTable, folded, kindNouns, place, readable, rowItem } from './parts.ts';

interface DryRunView {
  viewer: Viewer;
  id: string;
  /** The file's name. */
  name: string;
  /** The sports of the ledger. */
  sports: readonly string[];
  given: GivenChoices;
  /** Absent where the file could not be read. */
  run?: DryRun | undefined;
  /** What to know first. */
  faults: readonly string[];
}

/** What a file becomes, with the choices that change it, and the button that stores it. */
export function dryRunPage({ viewer, id, name, sports, given, run, faults }: DryRunView): string {
  const { file, guesses: taken = [], trial } = run ?? {};
  const { plans = [], faults: tables = [], headers = [] } = file ?? {};
  const refused = plans.flatMap((plan) => planRefusals(plan, plans.length > 1));
  const tried = (trial?.refusals ?? []).filter(
    ({ file, line, reason }) =>
      !plans.some(
        (plan) => plan.name === file && plan.rows.some((row) => row.line === line && row.reason === reason),
      ),
  );
  const left = [
    ...refused,
    ...tried.map(({ file, line, reason }) =>
      rowItem({ where: place(file, line, plans.length > 1), text: inPageWords(reason), more: [] }),
    ),
  ];
  const stored = plans.flatMap((plan) =>
    plan.rows
      .filter(({ reason }) => reason === undefined)
      .map((row) => storedRow(plan, row, plans.length > 1)),
  );
  const guesses = [
    ...taken,
    ...plans.flatMap((plan) => plan.guesses.map(inPageWords)),
    ...(trial?.odds ?? []),
  ];
  const games = new Map(
    plans.flatMap(({ rows }) =>
      rows.flatMap(({ game, isHomeGuessed }) =>
        game === undefined
          ? []
          : [[`${game.sport} ${game.game} ${game.startsAt}`, { ...game, isHomeGuessed }] as const],
      ),
    ),
  );
  const notes = [...(trial?.notes ?? [])];
  const isNew =
    trial !== undefined && kinds.some((kind) => trial.counts[kind].added + trial.counts[kind].updated > 0);
  return operatorFrame(
    viewer,
    `Import ${name}`,
    html`${pageHead({
      eyebrow: 'Import: dry run',
      title: name,
      lead: 'Nothing is stored yet. Check the rows, correct what was read wrong, then import.',
    })}${section({
      heading: 'Summary',
      id: 'summary',
      body: html`${[...faults, ...tables].map((fault) => alert(readable(inPageWords(fault))))}${
        trial === undefined ? empty('Nothing can be stored yet.') : countTable(trial.counts, false)
      }${isNew && html`<p><a href="#import">Go to the import button</a></p>`}`,
    })}${
      guesses.length > 0 &&
      section({
        heading: 'Guesses',
        id: 'guesses',
        note: 'What the file does not say, and how it was read.',
        body: html`<ul class="prose">${guesses.map((guess) => html`<li>${readable(guess)}</li>`)}</ul>`,
      })
    }${
      left.length > 0 &&
      section({
        heading: 'Not stored',
        id: 'refused',
        note: 'Rows that need something, and why. The others can go in without them.',
        body: folded(left, 'row'),
      })
    }${
      games.size > 0 &&
      section({
        heading: 'New games',
        id: 'games',
        note: 'Games that the ledger does not have yet, and that the import would add.',
        body: folded(
          [...games.values()].map(({ sport, game, startsAt, isHomeGuessed }) =>
            rowItem({
              where: sportTag(sport),
              text: game,
              more: [
                `Starts ${readable(startsAt ?? 'at an unknown time')}.`,
                ...(isHomeGuessed === true ? ['Nothing says which team is at home.'] : []),
              ],
            }),
          ),
          'game',
        ),
      })
    }${
      stored.length > 0 &&
      section({
        heading: 'Would be stored',
        id: 'rows',
        note: 'As imported picks: their times are shown as claimed.',
        body: folded(stored, 'row'),
      })
    }${
      notes.length > 0 &&
      section({
        heading: 'Notes',
        id: 'notes',
        body: html`<ul class="prose">${notes.map(([note, count]) => html`<li>${readable(note)}${count > 1 && ` (${count} rows)`}</li>`)}</ul>`,
      })
    }<form id="choices" method="post" action="/import/${id}">
${section({
  heading: 'How it is read',
  id: 'reading',
  note: 'Change what is wrong, and look again.',
  body: html`${otherFields(given, sports)}${columnFields(headers, given)}
<p class="actions"><button type="submit" name="do" value="look" class="second">Look again</button></p>`,
})}${section({
  heading: 'Import',
  id: 'import',
  note: 'Ledger entries cannot be undone.',
  body: html`<input type="hidden" name="digest" value="${run?.digest ?? ''}">
${
  isNew && trial !== undefined
    ? html`<p>${importText(trial)} Importing the same file again changes nothing.</p>`
    : empty(
        trial !== undefined && kinds.some((kind) => trial.counts[kind].unchanged > 0)
          ? 'Nothing is new: what can be stored of this file is stored already.'
          : 'There is nothing to import yet.',
      )
}
<p class="actions">${isNew && html`<button type="submit" name="do" value="import">Import</button> `}<a href="/import">Choose another file</a></p>`,
})}</form>
`,
  );
}

function planRefusals({ name, rows }: SheetPlan, isOfSeveral: boolean): Html[] {
  return rows.flatMap(({ line, text, reason, choices = [], notes }) =>
    reason === undefined
      ? []
      : rowItem({
          where: place(name, line, isOfSeveral),
          text: inPageWords(reason),
          more: [text, ...choices.map((choice) => `Could be ${choice}`), ...notes],
        }),
  );
}

function storedRow(
  { name }: SheetPlan,
  { line, text, pick, result, notes }: PlannedRow,
  isOfSeveral: boolean,
): Html {
  return rowItem({
    where: place(name, line, isOfSeveral),
    text,
    more: [
      ...(pick?.source === 'day' ? ['The time of posting is labeled as known to the day only.'] : []),
      ...(result === undefined
        ? []
        : [
            `Result: ${result.half === true ? 'half ' : ''}${result.result}, since no score grades this bet.`,
          ]),
      ...notes,
    ],
  });
}

function importText({ counts }: Imported): string {
  const parts = kinds.flatMap((kind) => {
    const count = counts[kind].added + counts[kind].updated;
    return count === 0 ? [] : [counted(count, kindNouns[kind])];
  });
  return `This stores ${parts.join(', ')}.`;
}

/** What each column holds: as it was recognized, or as somebody says. Of headers that several tables share, the first. */
function columnFields(headers: ReadFile['headers'], given: GivenChoices): Html | false {
  const byName = new Map(headers.toReversed().map((each) => [each.header, each]));
  if (byName.size === 0) return false;
  const columns = headers.filter((each) => byName.get(each.header) === each);
  return html`<fieldset class="columns"><legend>Columns</legend>
${columns.map(({ header, field, by, example }, at) => {
  const chosen = given[columnPrefix + header];
  const recognized =
    field === undefined
      ? 'Not read'
      : `${fieldWords[field]}${by === 'content' ? ' (a guess by its cells)' : ''}`;
  return html`<p class="field"><label for="column-${at}">${header}</label>
<select id="column-${at}" name="${columnPrefix}${header}" aria-describedby="column-${at}-hint">
<option value="">${by === 'map' ? 'Decide for me' : recognized}</option>
<option value="-"${chosen === '-' && html` selected`}>Leave out</option>
${sheetFields.map((each) => html`<option value="${each}"${each === chosen && html` selected`}>${fieldWords[each]}</option>`)}</select>
<span class="hint" id="column-${at}-hint">${example === '' ? 'All its cells are empty.' : `For example: ${example.slice(0, 80)}`}</span></p>
`;
})}</fieldset>
`;
}

function otherFields(given: GivenChoices, sports: readonly string[]): Html {
  const none = 'Decide for me';
  const fields: Field[] = [
    {
      ...{ name: 'capper', label: 'Capper', maxLength: 100, optional: 'silently' },
      hint: 'Of rows that name nobody, as in a sheet of one person.',
    },
    {
      ...{ name: 'sport', label: 'Sport', optional: 'silently', none },
      hint: 'Of rows that name none.',
      options: sports.map((value) => ({ value, label: sportTag(value) })),
    },
    {
      ...{ name: 'unit', label: 'One unit is', maxLength: 20, optional: 'silently', keys: 'decimal' },
      hint: 'An amount, such as 25, where stakes are money.',
    },
    {
      ...{ name: 'odds', label: 'Format of odds', optional: 'silently', none },
      options: oddsFormats.map((value) => ({ value, label: plain(value) })),
    },
    {
      ...{ name: 'zone', label: 'Time zone', maxLength: 60, optional: 'silently' },
      hint: 'Of times that name none, such as America/New_York.',
      suggestions: zones.map(({ text, label }) => ({ value: text, label })),
    },
  ];
  return html`<fieldset><legend>What the file does not say</legend>
${fieldList(fields, given)}</fieldset>
`;
}
