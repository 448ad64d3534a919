import { type PickField, pickFields } from '../ledger/pick.ts';
import { givenSchemas } from '../ledger/pick-forms.ts';
import { importPicks } from '../ledger/posting/import-picks.ts';
import {
  checkImportedPick,
  checkPick,
  type ImportedPickRow,
  importedPickRow,
  pickRow,
} from '../ledger/posting/pick-row.ts';
import { booleanCell, handleCell, instantCell, unitsCell } from './cells.ts';
import type { Fields, RowField, RowKind } from './kind.ts';
import { aboutSubjects, bookOf, futureGame, gameFields, oddsField, selectionFields } from './of-games.ts';

type Given = keyof typeof givenSchemas;

/** Schemas and descriptions come from the declaration of a pick. */
const own = (json: Given, more: Partial<RowField> = {}): RowField => ({
  schema: givenSchemas[json],
  about: (Object.values(pickFields) as PickField[]).find((field) => field.json === json)?.about ?? '',
  ...more,
});

const fields = {
  capperHandle: own('capperHandle', { cell: handleCell }),
  ...gameFields,
  ...selectionFields,
  pick: own('pick', { label: 'selection in words' }),
  oddsAmerican: own('oddsAmerican', oddsField),
  stakeUnits: own('stakeUnits', {
    label: 'stake in units',
    hint: 'From 0.01 to 100.',
    cell: unitsCell,
  }),
  book: own('book', {
    ...bookOf,
    about: 'The book where the odds were taken.',
    hint: 'The book with these odds, such as DraftKings.',
  }),
  source: own('source'),
  postedAt: own('postedAt', {
    cell: instantCell,
    onlyInFiles: true,
  }),
  result: {
    schema: importedPickRow.properties.result,
    about:
      'The result that the pick came with. It settles the pick, as a claim, while nothing else decides it.',
    onlyInFiles: true,
  },
  uuid: {
    schema: importedPickRow.properties.uuid,
    about: 'The UUID of a stored pick, as in the record export. Such a row changes nothing.',
    onlyInFiles: true,
  },
  half: {
    schema: importedPickRow.properties.half,
    about: 'Whether only half of the stake counted, by the claim.',
    cell: booleanCell,
    onlyInFiles: true,
  },
} satisfies Record<Given, RowField> & Fields;

export const pick: RowKind = {
  title: 'PickRow',
  about: 'Posts picks. The service sets the time of posting, and refuses picks on started games.',
  identity: 'live: its `Idempotency-Key`; imported: all fields, from which its UUID (version 5) is derived',
  example: {
    capperHandle: 'zoe',
    ...futureGame,
    market: 'spread',
    side: 'home',
    line: -3.5,
    pick: 'Foxes -3.5',
    oddsAmerican: -110,
    stakeUnits: 1.5,
    book: 'draftkings',
  },
  fields,
  schema: pickRow,
  check: checkPick,
  checkInFile: checkImportedPick,
  apply: aboutSubjects<ImportedPickRow>(importPicks) as RowKind['apply'],
  wakes: [],
};
