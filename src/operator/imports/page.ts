import { type Html, html } from '../../pages/html.ts';
import { empty, pageHead, section } from '../../pages/parts/section.ts';
import { oddsFormats } from '../../rules/odds-format.ts';
import { sheetFields } from '../../sheets/columns.ts';
import type { PlannedRow, SheetPlan } from '../../sheets/plan.ts';
import { type Kind, kinds } from '../../sources/file-rows.ts';
import type { Counts } from '../../sources/files.ts';
import { operatorFrame } from '../frame.ts';
import { columnPrefix, fieldWords, type GivenChoices, inPageWords } from './choices.ts';
import type { DryRun, Imported } from './dry-run.ts';
import { fileTypes, maxFileBytes } from './upload.ts';

/** The page on which a file is chosen. @param fault why the last one was not taken */
export function uploadPage(baseUrl: string, fault?: string): string {
  return operatorFrame({
    title: 'Import a file',
    baseUrl,
    body: html`${pageHead({
      eyebrow: 'Import',
      title: 'Import a file of picks',
      lead: 'You see what each row becomes before anything is stored.',
    })}${section({
      heading: 'File',
      id: 'file',
      body: html`${fault !== undefined && alert(fault)}<form method="post" action="/import" enctype="multipart/form-data">
<p class="field"><label for="upload">Choose a file, or drop it here</label>
<input id="upload" name="file" type="file" required accept="${fileTypes.join(',')}" aria-describedby="upload-hint">
<span class="hint" id="upload-hint">A spreadsheet or an export of any bet tracker: ${fileTypes.join(', ')}, up to ${maxFileBytes / 2 ** 20} MB and 5,000 rows. Columns may have any names and any order.</span></p>
<p><button type="submit">Show what it becomes</button></p>
</form>`,
    })}`,
  });
}

interface DryRunView {
  baseUrl: string;
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
export function dryRunPage({ baseUrl, id, name, sports, given, run, faults }: DryRunView): string {
  const { plans = [], trial } = run ?? {};
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
  const guesses = [...plans.flatMap((plan) => plan.guesses.map(inPageWords)), ...(trial?.odds ?? [])];
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
  return operatorFrame({
    title: `Import ${name}`,
    baseUrl,
    body: html`${pageHead({
      eyebrow: 'Import: dry run',
      title: name,
      lead: 'Nothing is stored yet. Check the rows, correct what was read wrong, then import.',
    })}${section({
      heading: 'Summary',
      id: 'summary',
      body: html`${[...faults, ...(run?.faults ?? [])].map((fault) => alert(inPageWords(fault)))}${
        trial === undefined ? empty(nothingText(plans)) : countTable(trial.counts, 'would be')
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
              where: sport.toUpperCase(),
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
  body: html`${columnFields(run, given)}${otherFields(given, sports)}
<p><button type="submit" name="do" value="look" class="second">Look again</button></p>`,
})}${section({
  heading: 'Import',
  id: 'import',
  note: 'Ledger entries cannot be undone.',
  body: html`<input type="hidden" name="digest" value="${run?.digest ?? ''}">
${
  isNew && trial !== undefined
    ? html`<p>${importText(trial)} Importing the same file again changes nothing.</p>
<p><button type="submit" name="do" value="import">Import</button></p>`
    : empty(
        trial === undefined
          ? 'There is nothing to import yet.'
          : 'Nothing is new: what can be stored of this file is stored already.',
      )
}
<p><a href="/import">Choose another file</a></p>`,
})}</form>
`,
  });
}

interface OutcomeView {
  baseUrl: string;
  name: string;
  imported: Imported;
}

/** What an import stored, and which rows it refused. */
export function outcomePage({ baseUrl, name, imported }: OutcomeView): string {
  const { counts, refusals, notes } = imported;
  const isRefused = refusals.length > 0;
  return operatorFrame({
    title: `Imported ${name}`,
    baseUrl,
    body: html`${pageHead({
      eyebrow: 'Import: done',
      title: name,
      lead: 'The rows are stored. Workers grade and seal the picks next, and the site shows them within a minute.',
    })}${section({
      heading: 'Stored',
      id: 'summary',
      body: html`<div role="status">${countTable(counts, 'were')}</div>
<p><a href="${baseUrl}/cappers">See the cappers</a> · <a href="/#actions">Recent changes</a> · <a href="/import">Import another file</a></p>`,
    })}${
      isRefused &&
      section({
        heading: 'Not stored',
        id: 'refused',
        note: 'Correct these rows and import the file again: what is stored already stays as it is.',
        body: folded(
          refusals.map(({ file, line, reason }) =>
            rowItem({
              where: place(file, line, new Set(refusals.map((each) => each.file)).size > 1),
              text: inPageWords(reason),
              more: [],
            }),
          ),
          'row',
        ),
      })
    }${
      notes.size > 0 &&
      section({
        heading: 'Notes',
        id: 'notes',
        body: html`<ul class="prose">${[...notes].map(([note, count]) => html`<li>${readable(note)}${count > 1 && ` (${count} rows)`}</li>`)}</ul>`,
      })
    }`,
  });
}

interface EarlierView {
  baseUrl: string;
  name: string;
  /** Undefined while the import goes on, or where it was cut off. */
  outcome:
    | {
        counts: Readonly<Record<string, number>> | null;
        refusals: readonly { index: number; reason: string }[] | null;
      }
    | undefined;
}

/** A file that is imported already, or right now. */
export function earlierPage({ baseUrl, name, outcome }: EarlierView): string {
  const { counts, refusals } = outcome ?? {};
  return operatorFrame({
    title: `Import ${name}`,
    baseUrl,
    body: html`${pageHead({
      eyebrow: 'Import',
      title: name,
      lead:
        outcome === undefined
          ? 'This file is being imported, or its import was interrupted. Recent changes say which. If it was interrupted, import the file again: rows that are stored already stay as they are.'
          : 'This file was imported, once.',
    })}${section({
      heading: 'Outcome',
      id: 'summary',
      body: html`<p role="status">${
        Object.entries(counts ?? {})
          .map(([what, count]) => `${count} ${what}`)
          .join(', ') || 'Not known yet.'
      }</p>
${
  (refusals ?? []).length > 0 &&
  folded(
    (refusals ?? []).map(({ index, reason }) =>
      rowItem({ where: `Row ${index + 1}`, text: inPageWords(reason), more: [] }),
    ),
    'row',
  )
}
<p><a href="/#actions">Recent changes</a> · <a href="/import">Import another file</a></p>`,
    })}`,
  });
}

function alert(sentence: string): Html {
  return html`<p role="alert"><strong>${readable(sentence)}</strong></p>
`;
}

/** Rows of a list that are open; the others are folded. */
const open = 25;

function folded(items: readonly Html[], noun: string): Html {
  const rest = items.length - open;
  return html`<ul class="finds rows">
${items.slice(0, open)}</ul>
${
  rest > 0 &&
  html`<details><summary>${rest.toLocaleString('en-US')} more ${noun}${rest > 1 && 's'}</summary>
<ul class="finds rows">
${items.slice(open)}</ul>
</details>`
}`;
}

function rowItem({ where, text, more }: { where: string; text: string; more: readonly string[] }): Html {
  return html`<li><b>${where}</b> ${readable(text)}${more.map((each) => html`<span class="hint">${readable(each)}</span>`)}</li>
`;
}

function place(file: string, line: number, isOfSeveral: boolean): string {
  return isOfSeveral ? `${file}, row ${line}` : `Row ${line}`;
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

/** Instants as people read them. */
function readable(text: string): string {
  return text.replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z/g, '$1 $2 UTC');
}

const kindWords: Readonly<Record<Kind, string>> = {
  cappers: 'Cappers',
  games: 'Games',
  lines: 'Prices',
  picks: 'Picks',
  results: 'Results',
  stats: 'Statistics',
};

const outcomeWords: Readonly<Record<keyof Counts, string>> = {
  added: 'added',
  updated: 'changed',
  unchanged: 'there already',
  'left out': 'left out, because they are later than now',
  refused: 'not stored',
};

/** @param verb before what is done: `would be added` */
function countTable(counts: Readonly<Record<Kind, Counts>>, verb: string): Html {
  const lines = kinds.flatMap((kind) => {
    const parts = Object.entries(counts[kind]).filter(([, count]) => count > 0);
    return parts.length === 0 ? [] : [{ kind, parts }];
  });
  if (lines.length === 0) return empty('The file has no rows.');
  return html`<dl class="counts">${lines.map(
    ({ kind, parts }) => html`<dt>${kindWords[kind]}</dt><dd>${parts
      .map(([outcome, count]) => `${count.toLocaleString('en-US')} ${said(outcome as keyof Counts, verb)}`)
      .join(', ')}</dd>
`,
  )}</dl>`;
}

function said(outcome: keyof Counts, verb: string): string {
  const words = outcomeWords[outcome];
  return outcome === 'unchanged' ? (verb === 'were' ? `were ${words}` : `are ${words}`) : `${verb} ${words}`;
}

function nothingText(plans: readonly SheetPlan[]): string {
  const rows = plans.reduce((sum, plan) => sum + plan.rows.length, 0);
  return rows === 0
    ? 'The file could not be read.'
    : `None of its ${rows.toLocaleString('en-US')} rows can be stored as they are.`;
}

function importText({ counts }: Imported): string {
  const parts = kinds.flatMap((kind) => {
    const count = counts[kind].added + counts[kind].updated;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${kindWords[kind].toLowerCase()}`];
  });
  return `This stores ${parts.join(', ')}.`;
}

/** What each column holds: as it was recognized, or as somebody says. */
function columnFields(run: DryRun | undefined, given: GivenChoices): Html | false {
  const headers = new Map((run?.headers ?? []).map(({ header, example }) => [header, example]));
  if (headers.size === 0) return false;
  const read = new Map(run?.plans.flatMap(({ mapping }) => mapping.map((column) => [column.header, column])));
  return html`<fieldset><legend>Columns</legend>
${[...headers].map(([header, example], at) => {
  const chosen = given[columnPrefix + header];
  const { field, by } = read.get(header) ?? {};
  const automatic =
    field === undefined || by === 'map'
      ? 'Decide for me'
      : `${fieldWords[field]}${by === 'content' ? ' (a guess by its cells)' : ''}`;
  return html`<p class="field"><label for="column-${at}">${header}</label>
<select id="column-${at}" name="${columnPrefix}${header}" aria-describedby="column-${at}-hint">
<option value="">${field === undefined ? 'Not read' : automatic}</option>
<option value="-"${chosen === '-' && html` selected`}>Leave out</option>
${sheetFields.map((each) => html`<option value="${each}"${each === chosen && html` selected`}>${fieldWords[each]}</option>`)}</select>
<span class="hint" id="column-${at}-hint">${example === '' ? 'All its cells are empty.' : `For example: ${example.slice(0, 80)}`}</span></p>
`;
})}</fieldset>
`;
}

function otherFields(given: GivenChoices, sports: readonly string[]): Html {
  const { capper = '', sport, zone = '', odds, unit = '' } = given;
  return html`<fieldset><legend>What the file does not say</legend>
<p class="field"><label for="capper">Capper</label>
<input id="capper" name="capper" value="${capper}" maxlength="100" autocomplete="off" aria-describedby="capper-hint">
<span class="hint" id="capper-hint">Of rows that name nobody, as in a sheet of one person.</span></p>
<p class="field"><label for="sport">Sport</label>
<select id="sport" name="sport" aria-describedby="sport-hint"><option value="">Decide for me</option>${sports.map((each) => html`<option value="${each}"${each === sport && html` selected`}>${each.toUpperCase()}</option>`)}</select>
<span class="hint" id="sport-hint">Of rows that name none.</span></p>
<p class="field"><label for="unit">One unit is</label>
<input id="unit" name="unit" value="${unit}" inputmode="decimal" maxlength="20" autocomplete="off" aria-describedby="unit-hint">
<span class="hint" id="unit-hint">An amount, such as 25, where stakes are money.</span></p>
<p class="field"><label for="odds">Format of odds</label>
<select id="odds" name="odds"><option value="">Decide for me</option>${oddsFormats.map((each) => html`<option value="${each}"${each === odds && html` selected`}>${each[0]?.toUpperCase()}${each.slice(1)}</option>`)}</select></p>
<p class="field"><label for="zone">Time zone</label>
<input id="zone" name="zone" value="${zone}" maxlength="60" autocomplete="off" placeholder="America/New_York" aria-describedby="zone-hint">
<span class="hint" id="zone-hint">Of times that name none.</span></p>
</fieldset>
`;
}
