import { expect } from 'chai';
import { fixedText } from '../../src/pages/page.ts';
import { recordExportPage } from '../../src/pages/record-export/page.ts';
import { csvColumns, csvName, jsonColumns } from '../../src/record/export-columns.ts';
import { testConfig } from '../support/config.ts';

describe('the page about the export', () => {
  const { site } = testConfig();
  const page = fixedText(recordExportPage, site);

  it('explains every column, with examples, terms, and versions', () => {
    for (const name of [...csvColumns.map(csvName), ...jsonColumns])
      expect(page).to.contain(`<code>${name}</code>`);
    for (const text of [
      'curl ',
      'import pandas',
      'jsonlite',
      'IMPORTDATA',
      'Terms of use',
      'v1.0.0',
      '2026-04-25',
    ])
      expect(page).to.contain(text);
  });

  it('is indexable, offers its feed, and carries the notice', () => {
    expect(page).not.to.contain('noindex');
    expect(page).to.contain('type="application/rss+xml"').and.to.contain('href="/record/rss.xml"');
    expect(page).to.contain('21+').and.to.contain('1-800-GAMBLER');
  });
});
