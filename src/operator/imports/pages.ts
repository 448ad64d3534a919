import { counted } from '../../pages/figures.ts';
import { html } from '../../pages/html.ts';
import { alert } from '../../pages/parts/fields.ts';
import { pageHead, section } from '../../pages/parts/section.ts';
import { fullText } from '../../pages/times.ts';
import { iso } from '../../platform/clock.ts';
import type { WaitingImport } from '../../sources/waiting-imports.ts';
import { nextLinks } from '../form.ts';
import { homeLink, operatorFrame, type Viewer } from '../frame.ts';
import type { Imported } from './dry-run.ts';
import { countTable, listed, noteList, readable, refusedItem } from './parts.ts';
import { fileTypes, maxFileBytes } from './upload.ts';

/**
 * Renders the page that uploads a file.
 * @param waiting imports that can be withdrawn
 * @param fault why the last file was refused
 */
export function uploadPage(viewer: Viewer, waiting: readonly WaitingImport[], fault?: string): string {
  return operatorFrame(
    viewer,
    'Import a file',
    html`${pageHead({
      eyebrow: 'Import',
      title: 'Import a file of picks',
      lead: 'You preview every row before anything is stored.',
    })}${section({
      heading: 'File',
      id: 'file',
      body: html`${fault !== undefined && alert(readable(fault))}<form method="post" action="/import" enctype="multipart/form-data">
<p class="field drop"><label for="upload">Choose a file, or drop it here</label>
<input id="upload" name="file" type="file" required accept="${fileTypes.join(',')}" aria-describedby="upload-hint">
<span class="hint" id="upload-hint">A spreadsheet or an export from any bet tracker: ${fileTypes.join(', ')}, up to ${maxFileBytes / 2 ** 20} MB and 5,000 rows. Columns may have any names and any order.</span></p>
<p class="actions"><button type="submit">Preview</button></p>
</form>`,
    })}${
      waiting.length > 0 &&
      section({
        heading: 'Waiting',
        id: 'waiting',
        note: 'Picks that were read with assumptions. They are public nowhere yet.',
        body: html`<ul class="finds">${waiting.map(
          ({
            id,
            about,
            dueAt,
            picks,
          }) => html`<li><form method="post" action="/import/drop"><input type="hidden" name="id" value="${id}">
<p><bdi>${about}</bdi>: ${counted(picks, 'pick')}, stored after ${fullText(iso(dueAt))}. <button type="submit" class="second">Withdraw</button></p></form></li>`,
        )}</ul>`,
      })
    }`,
  );
}

/** Renders the outcome of an import: stored and refused rows. */
export function outcomePage(viewer: Viewer, name: string, imported: Imported): string {
  const { counts, refusals, notes, waits } = imported;
  const isOfSeveral = new Set(refusals.map(({ file }) => file)).size > 1;
  return operatorFrame(
    viewer,
    `Imported ${name}`,
    html`${pageHead({
      eyebrow: 'Import: done',
      title: name,
      lead:
        waits === undefined
          ? 'The rows are stored. The picks are graded and sealed next. The site shows them within a minute.'
          : `${counted(waits.picks, 'pick')} were read with assumptions, and wait until ${fullText(iso(waits.dueAt))}. Until then they can be withdrawn under Import.`,
    })}${section({
      heading: 'Stored',
      id: 'summary',
      body: html`<div role="status">${countTable(counts, true)}</div>
${nextLinks([{ label: 'Another file', path: '/import' }, { label: 'Cappers', path: `${viewer.baseUrl}/cappers` }, homeLink])}`,
    })}${listed(
      'Not stored',
      'refused',
      refusals.map((refusal) => refusedItem(refusal, isOfSeveral)),
      { noun: 'row', note: 'Correct these rows and import the file again. Stored rows stay unchanged.' },
    )}${noteList(notes)}`,
  );
}
