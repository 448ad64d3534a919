import { expect } from 'chai';
import type { PickEventBody } from '../../src/boards/picks/events.ts';
import { xmlText } from '../../src/formats/safe-text.ts';
import { recordColumns } from '../../src/pages/record-columns.ts';
import { recordEntryPage } from '../../src/pages/record-entry.ts';
import { recordExportPage } from '../../src/pages/record-export.ts';
import { baseUrl, examplePick, hostileTexts, settled } from '../formats/example-picks.ts';

const posted: PickEventBody = {
  event: 'posted',
  at: '2024-10-06T12:00:00.000Z',
  hash: 'ab'.repeat(32),
  prevHash: null,
  seq: 4,
  line: -3,
  oddsAmerican: -110,
  oddsDecimal: 1.9091,
  book: 'north',
  capperHandle: 'ada',
  capperTier: 'elite',
  startsAt: null,
  stakeUnits: 1.5,
};
const events: PickEventBody[] = [
  posted,
  {
    event: 'settled',
    at: '2024-10-06T23:31:00.000Z',
    hash: null,
    prevHash: null,
    seq: null,
    result: 'win',
    awayScore: 24,
    homeScore: 27,
    netUnits: 1.36,
    grader: 'score',
  },
];
const escaped = (text: string) =>
  xmlText(text).replace(/[&<>"']/g, (character) => {
    const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
    return `&${names[character]};`;
  });

describe('the page of a record', () => {
  it('tells facts, life and hashes, and where to check them', () => {
    const page = recordEntryPage({ pick: examplePick(settled), events }, baseUrl);
    for (const text of [
      'Rays -3',
      '-110',
      '1.5 units',
      'ab'.repeat(32),
      'entry 4 of the log',
      'away 24, home 27',
    ])
      expect(page).to.contain(text);
    expect(page).to.contain(`href="/api/picks/${examplePick().pickUuid}/receipt"`);
    expect(page).to.contain('<link rel="canonical" href="https://picks.example/record/7">');
    expect(page).to.contain('href="/c/ada/rss.xml"');
  });

  for (const text of hostileTexts)
    it(`shows ${JSON.stringify(text.slice(0, 40))} as text, in a direction of its own`, () => {
      const page = recordEntryPage({ pick: examplePick({ pick: text, game: text }), events }, baseUrl);
      expect(page).to.contain(`<bdi>${escaped(text)}</bdi>`);
      expect(page).not.to.match(/<script|<!\[CDATA/);
      expect(page).not.to.contain('\u0000');
    });
});

describe('the page about the export', () => {
  const page = recordExportPage(baseUrl);

  it('explains every column, with examples, terms and versions', () => {
    for (const [inCsv, inJson] of recordColumns) expect(page).to.contain(inCsv).and.to.contain(inJson);
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

  it('may be indexed, offers its feed and carries the notice', () => {
    expect(page).not.to.contain('noindex');
    expect(page).to.contain('type="application/rss+xml"').and.to.contain('href="/record/rss.xml"');
    expect(page).to.contain('21+').and.to.contain('1-800-GAMBLER');
  });

  it('runs no script and brings no style of its own', () => {
    expect(page).not.to.match(/<script|<style|\sstyle=|\son\w+=/);
  });
});
