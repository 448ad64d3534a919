import { plainLetters } from '../rules/plain-name.ts';
import { amountOf } from './amounts.ts';
import { type HeadedCell, RowRefused, type SheetField } from './fields.ts';
import { isUnmade } from './results.ts';

/** Words of a bet on a single selection, which change nothing. */
const single =
  /^(?:(?:singles?|straights?)(?: bets?| wagers?)?|simples?|sencill[ao]s?|singol[ae]|einzel(?:wetten?|tipps?)?|enkel(?:t|vad)?|win(?: single| only| bet)?|normal|standard|regular|b(?:ack(?:ing|ed)?(?: bet)?)?|buy|main|ordinary|pre(?:-?(?:match|game|live))?|punta|pour|for|a favore?|none|no|n\/a|-|—|0|1|false)$/;

/** Words of a bet on several selections. Those that can also mean a market count only if they are the whole cell. */
const multiple =
  /\b(?:trebles?|trixies?|patents?|(?:super )?yankee|heinz|goliath|lucky ?\d+|\w*-?folds?|acca(?:s|\d+)?|accu(?:mulators?)?|accumulateur|acumulad[ao]r?a?|combin(?:ed|ee?|ada|ata)|\w*kombi\w*|(?:zweier|dreier|vierer|funfer)\w*|parlays?|parlee|tease(?:rs?|d)|pleasers?|round ?robins?|sgp\w*|same ?game|bet ?builders?|build ?a ?bet|betbuilder|crea(?:r|te)?.?(?:apuesta|bet)|if.?bets?|reverse (?:bet|forecast)|multipl[aeo]s?|multibets?|schedina|tripl[ae]|quadrupl[ae]|cuadrupl[ae]|superfecta|trifecta|exacta|quinella|tricast|jackpot|system ?\d|\d+[- ](?:leg|team|pick)s?|dubbel|trippel|dvojice)\b/;
const wholeMultiple =
  /^(?:canadian|(?:straight |combination )?forecast|doubles?|doppi[ae]|dobles?|dupl[ao]s?|triples?|multis?|multiple bet|combos?|systems?|sistemas?|systeme|legs?|power play|flex play|\d ?\/ ?\d|x\d|\d{1,2}x?)(?:\s*[([].*[)\]])?(?:\s*x?\d+)?$/;
const eachWay = /(?:^|\b)(?:e\/?w|each[- ]?way|win ?(?:&|and|\/) ?place|to place|place only)\b/;
const live = /\b(?:live|in[- ]?play|in[- ]?running|in-?game|en vivo|en directo|en direct|dal vivo|ao vivo)\b/;
const lay =
  /^lay(?:ing|ed)?\b|\blay(?: bet)?$|^(?:sell(?:ing)?|short(?:ed)?)$|^(?:against|contre|gegen|contra|contro|banca|bancata|l)$/;

/** Returns why a word of a bet's type excludes the row; `single` if it changes nothing; undefined for other words. */
export function structureOf(cell: string): { refused: string } | 'single' | undefined {
  const text = plainLetters(cell.trim());
  if (single.test(text)) return 'single';
  if (/^1x2$|double (?:chance|double|result)|triple double|(?:mens|womens|mixed) doubles/.test(text))
    return undefined;
  if (eachWay.test(text))
    return { refused: `${cell}: an each-way bet is two bets at two prices, not one pick.` };
  if (multiple.test(text) || wholeMultiple.test(text))
    return { refused: `${cell}: a bet on several games or selections is not one pick.` };
  if (live.test(text)) return { refused: refusedLive(cell) };
  if (lay.test(text))
    return { refused: `${cell}: a lay bet is against its selection, so it is no pick on it.` };
  return undefined;
}

/** Reports whether a cell says how a bet is built, in words that mean nothing else. */
export function isStructure(cell: string): boolean {
  return (
    /\p{L}{2}/u.test(cell) &&
    !/^(?:no|none|false|n\/a|win|for|pour|contra|main|normal|regular|standard)$/i.test(cell) &&
    structureOf(cell) !== undefined
  );
}

const yes =
  /^(?:true|yes|y|x|1|oui|si|sí|ja|sim|✓|✔️?|✅|live|lay|won|full|partial|on|free ?(?:bet|play)|bonus ?bet|(?:in|out).?play|in[- ]?running|in-?game)$/i;
const no =
  /^(?:|false|no|n|0+(?:[.,]0+)?%?|non|nein|não|nao|none|null|-|—|n\/a|na|off|back|pre(?:-?(?:match|game|live))?)$/i;

/** Reads a cell of a column that says yes or no, or an amount. Undefined for other text. */
export function saysYes(cell: string): boolean | undefined {
  if (no.test(cell)) return false;
  if (yes.test(cell) || (amountOf(cell) ?? 0) > 0) return true;
  return undefined;
}

/** Words of remarks that may change a bet. Others, such as `live dog`, are only mentioned. */
const liveBet =
  /^(?:live|in[- ]?play|in[- ]?running|in-?game)(?: (?:bet|wager|pick))?$|\b(?:bet|placed|taken|entered|got) (?:live|in[- ]?play|at (?:ht|half-?time|the (?:break|half)))\b|\b(?:live|in[- ]?play) (?:bet|wager|pick|play)\b|\b(?:live|in[- ]?play|in[- ]?running)\b.{0,12}\b\d{1,3} ?(?:min|'|\u2019)/;
const bonus =
  /\b(?:free ?(?:bet|play)|bonus|risk[- ]?free|promo|snr|stake not returned|freiwette|gratiswette|apuesta gratis|pari gratuit)\b/;
const cashOut = /\bcash(?:ed)?[ -]?out\b/;
const boost = /\b(?:boost(?:ed)?|enhanced)\b/;
const paidOtherwise =
  /\b(?:money back|refund(?:ed)?|insur(?:ance|ed)|bore draw|early (?:payout|win)|2 up|rule 4)\b/;

/** Words that exclude a row wherever no field reads them, and why. */
const excluding: readonly (readonly [says: RegExp, why: string])[] = [
  [/^(?:void(?:ed)?|no action)\b(?! if| unless)/, 'Its score would count, so leave the row out.'],
  [/^(?:fade|fad(?:ing|ed)|against|opposite(?: side)?|other side)$/, 'That turns the bet around.'],
  [
    /^(?:(?:the )?series|futures?|outrights?|ante-?post|season ?long|overtime|extra time)$/,
    'That is another bet than one on the game.',
  ],
  [
    /\bvoid(?:ed)? (?:if|unless)\b|^(?:only )?(?:if|when|unless) .+ (?:plays?|starts?|is (?:in|out|active))$|\bmust start\b|\blisted pitchers?\b/,
    'That makes the bet depend on a condition that is not graded here.',
  ],
];

/** @throws RowRefused if a cell says that the bet was not made */
export function checkMade({ header, cell }: HeadedCell): void {
  if (isUnmade(cell)) throw new RowRefused(`${header} says ${cell}, so nobody made the bet.`);
}

/** Reads a cell of a column that no field reads. @throws RowRefused */
function checkRemark({ header, cell }: HeadedCell, notes: string[]): { isCashedOut: boolean } {
  const text = plainLetters(cell.trim());
  const isCashedOut = cashOut.test(text);
  if (!/\p{L}{3}/u.test(text)) return { isCashedOut };
  const found = structureOf(cell);
  if (liveBet.test(text)) throw new RowRefused(`${header} says ${refusedLive(cell)}`);
  if (typeof found === 'object' && !live.test(text)) throw new RowRefused(`${header} says ${found.refused}`);
  checkMade({ header, cell });
  const headed = text === 'listed' ? `${text} ${plainLetters(header)}` : text;
  const why = excluding.find(([says]) => says.test(headed))?.[1];
  if (why !== undefined) throw new RowRefused(`${header} says ${cell}. ${why}`);
  if (typeof found === 'object') notes.push(`${header} says ${cell}, which is not read.`);
  if (bonus.test(text)) notes.push(freeBetNote(cell));
  if (isCashedOut) notes.push(cashOutNote(cell));
  if (boost.test(text)) notes.push(`${header} says ${cell}. The price in the odds column counts.`);
  if (paidOtherwise.test(text))
    notes.push(`${header} says ${cell}. The score decides the bet, whatever was paid.`);
  return { isCashedOut };
}

const refusedLive = (cell: string) =>
  `${cell}: the bet was placed after the start of its game. The ledger does not accept those.`;

const freeBetNote = (cell: string) =>
  `A free bet (${cell}): the record counts its stake as if it had been paid.`;
const cashOutNote = (cell: string) =>
  `The bet was cashed out (${cell}), so the score will decide its result.`;

/** Columns whose yes changes a bet: the row is refused with a sentence, or gets a note. */
const flags: readonly {
  field: SheetField;
  refused?: string;
  note?: (cell: string, header: string) => string;
}[] = [
  {
    field: 'live',
    refused: 'The bet was placed after the start of its game. The ledger does not accept those.',
  },
  { field: 'lay', refused: 'A lay bet is against its selection, so it is no pick on it.' },
  { field: 'eachWay', refused: 'An each-way bet is two bets at two prices, not one pick.' },
  {
    field: 'voided',
    refused: 'The sheet says that the bet was voided. Its score would count, so leave the row out.',
  },
  {
    field: 'freeBet',
    note: freeBetNote,
  },
  {
    field: 'cashOut',
    note: cashOutNote,
  },
  { field: 'boost', note: (cell, header) => `${header} says ${cell}. The price in the odds column counts.` },
];

/**
 * Checks the columns that change what was bet: type, legs, live, lay, each-way, boosts, cash-outs, free bets.
 * @returns whether the bet was cashed out
 * @throws RowRefused
 */
export function checkModifiers(
  cellsOf: (field: SheetField) => HeadedCell[],
  notes: string[],
): { isCashedOut: boolean } {
  for (const field of ['kind', 'market', 'side'] as const)
    for (const { header, cell } of cellsOf(field)) {
      const found = structureOf(cell);
      if (typeof found === 'object') throw new RowRefused(found.refused);
      if (field === 'kind' && found === undefined && !/tag|categor/i.test(header) && saysYes(cell) !== false)
        throw new RowRefused(
          saysYes(cell) === true
            ? `${header} ${cell}: a bet on several selections is not one pick.`
            : `${header} says ${cell}, which nobody knows here. Write Single, or skip the column with --map '${header}=-'.`,
        );
      if (field === 'kind' && found === undefined && saysYes(cell) === undefined)
        notes.push(`${header} says ${cell}, which is not read.`);
    }
  for (const { header, cell } of cellsOf('legs')) {
    const count =
      structureOf(cell) === 'single' ? 1 : Number(cell.replace(/\s*(?:legs?|selections?|picks?)$/i, ''));
    if (!Number.isInteger(count) || count > 1)
      throw new RowRefused(`${header} ${cell}: a bet with several legs is not one pick.`);
  }
  for (const { cell } of cellsOf('further'))
    if (saysYes(cell) === false)
      throw new RowRefused('The row is a further leg of a bet, not a pick of its own.');
  for (const { header, cell } of cellsOf('made'))
    if (saysYes(cell) === false) throw new RowRefused(`${header} says ${cell}, so nobody made the bet.`);
  cellsOf('result').forEach(checkMade);
  for (const { field, refused, note } of flags)
    for (const { header, cell } of cellsOf(field)) {
      const said = saysYes(cell);
      if (refused !== undefined && said !== false)
        throw new RowRefused(
          said === true ? refused : `${header} says ${cell}, which is neither yes nor no.`,
        );
      if (note !== undefined && said !== false) notes.push(note(cell, header));
    }
  const remarks = cellsOf('comment').map((remark) => checkRemark(remark, notes));
  return {
    isCashedOut:
      cellsOf('cashOut').some(({ cell }) => saysYes(cell) !== false) ||
      remarks.some(({ isCashedOut }) => isCashedOut),
  };
}
