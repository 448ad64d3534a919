import { html } from '../../pages/html.ts';
import { pageHead, section } from '../../pages/parts/section.ts';
import { countsText } from '../actions.ts';
import { alert, nextLinks } from '../fields.ts';
import { operatorFrame, sentence, toHome, type Viewer } from '../frame.ts';
import { inPageWords } from './choices.ts';
import type { Imported } from './dry-run.ts';
import { countTable, folded, place, readable, rowItem } from './parts.ts';
import { fileTypes, maxFileBytes } from './upload.ts';

/** The page on which a file is chosen. @param fault why the last one was not taken */
export function uploadPage(viewer: Viewer, fault?: string): string {
  return operatorFrame(
    viewer,
    'Import a file',
    html`${pageHead({
      eyebrow: 'Import',
      title: 'Import a file of picks',
      lead: 'You see what each row becomes before anything is stored.',
    })}${section({
      heading: 'File',
      id: 'file',
      body: html`${fault !== undefined && alert(readable(fault))}<form method="post" action="/import" enctype="multipart/form-data">
<p class="field drop"><label for="upload">Choose a file, or drop it here</label>
<input id="upload" name="file" type="file" required accept="${fileTypes.join(',')}" aria-describedby="upload-hint">
<span class="hint" id="upload-hint">A spreadsheet or an export of any bet tracker: ${fileTypes.join(', ')}, up to ${maxFileBytes / 2 ** 20} MB and 5,000 rows. Columns may have any names and any order.</span></p>
<p class="actions"><button type="submit">Show what it becomes</button></p>
</form>`,
    })}`,
  );
}

interface OutcomeView {
  viewer: Viewer;
  name: string;
  imported: Imported;
}

/** What an import stored, and which rows it refused. */
export function outcomePage({ viewer, name, imported }: OutcomeView): string {
  const { counts, refusals, notes } = imported;
  const isRefused = refusals.length > 0;
  return operatorFrame(
    viewer,
    `Imported ${name}`,
    html`${pageHead({
      eyebrow: 'Import: done',
      title: name,
      lead: 'The rows are stored. Workers grade and seal the picks next, and the site shows them within a minute.',
    })}${section({
      heading: 'Stored',
      id: 'summary',
      body: html`<div role="status">${countTable(counts, true)}</div>
${nextLinks([{ label: 'Another file', path: '/import' }, { label: 'The cappers', path: `${viewer.baseUrl}/cappers` }, toHome])}`,
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
  );
}

interface EarlierView {
  viewer: Viewer;
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
export function earlierPage({ viewer, name, outcome }: EarlierView): string {
  const { counts, refusals } = outcome ?? {};
  return operatorFrame(
    viewer,
    `Import ${name}`,
    html`${pageHead({
      eyebrow: 'Import',
      title: name,
      lead:
        outcome === undefined
          ? 'This file is being imported, or its import was interrupted. Recent changes say which. If it was interrupted, import the file again: rows that are stored already stay as they are.'
          : 'This file was imported, once.',
    })}${section({
      heading: 'Outcome',
      id: 'summary',
      body: html`<p role="status">${sentence(countsText(counts ?? {}) || 'not known yet')}</p>
${
  (refusals ?? []).length > 0 &&
  folded(
    (refusals ?? []).map(({ index, reason }) =>
      rowItem({ where: `Row ${index + 1}`, text: inPageWords(reason), more: [] }),
    ),
    'row',
  )
}
${nextLinks([{ label: 'Another file', path: '/import' }, { label: 'Recent changes', path: '/#actions' }, toHome])}`,
    })}`,
  );
}
