import { plainLetters } from '../rules/plain-name.ts';
import { type AllCells, type HeadedCell, RowRefused } from './cells.ts';
import { boostNote, cashOutNote, columnOf, deductionNote, freeBetNote, sheetFields } from './columns.ts';
import { isUnmade } from './results.ts';
import { live, ofPicks, refusedLive, saysYes, structureOf } from './structure.ts';

/** Words of remarks that may change a bet. Others, such as `live dog`, are only mentioned. */
const liveBet =
  /\b(?:after|nach|despues del?|apres le|dopo il) (?:the )?(?:kick[- ]?off|anpfiff|start|inicio|coup d.envoi|fischio|tip)\b|\b(?:bet|placed|taken|got).{0,12} at \d{1,2}-\d{1,2}\b|\b(?:bet|placed|taken|entered|got) (?:live|in[- ]?play|at (?:ht|half[- ]?time|the (?:break|half)))\b|\b(?:live|in[- ]?play) (?:bet|wager|pick|play)\b|\b(?:live|in[- ]?play|in[- ]?running)\b.{0,12}\b\d{1,3} ?(?:min|'|\u2019)|\b(?:half|quarter|period|set|inning|[12]h|q[1-4]) live\b|^(?!90)\d{1,3} ?(?:'|\u2019|min(?:ute)?s?)$|^mid[- ]?(?:game|match)$|^during(?: the)?(?: game| match)?$/;
const cashOut = /\bcash(?:ed)?[ -]?out\b/;

/** Words of remarks that are noted, and the note. */
const noted: readonly (readonly [says: RegExp, note: (cell: string, header: string) => string])[] = [
  [
    /\b(?:free ?(?:bet|play)|bonus|risk[- ]?free|promo|snr|stake not returned|freiwette|gratiswette|apuesta gratis|pari gratuit)\b/,
    freeBetNote,
  ],
  [cashOut, cashOutNote],
  [/\b(?:boost(?:ed)?|enhanced)\b/, boostNote],
  [
    /\b(?:money back|refund(?:ed)?|insur(?:ance|ed)|bore draw|early (?:payout|win)|2 ?up|rule 4|dead heat)\b/,
    deductionNote,
  ],
];

/** Words that exclude a row wherever no field reads them, and why. */
const excluding: readonly (readonly [says: RegExp, why: string])[] = [
  [
    /^(?:(?:bet|apuesta|aposta|pari|scommessa|wette) )?(?:void(?:ed)?|no action|cancell?ed(?=$| by| my| the| bet)|anulad[oa]|annul\w+|storniert)\b(?! if| unless)/,
    'Its score would count, so leave the row out.',
  ],
  [
    /^(?:women|ladies|frauen|femenin[oa]|feminin[ae]?|u-?\d\d|reserves?|youth)$/,
    'Those are other teams than the row names.',
  ],
  [
    /^[&+] ?(?:over|under|[ou]\d|btts|gg|draw|win)|^(?:in an? |part of an? )?(?:double|treble|acca|combo|multi(?:ple)?) (?:with|w\/)/,
    'That joins another bet.',
  ],
  [/^(?:fade|fad(?:ing|ed)|against|opposite(?: side)?|other side|reversed?)$/, 'That turns the bet around.'],
  [
    /^(?:(?:the )?series|futures?|outrights?|ante-?post|season ?long|overtime|extra time|to (?:win to )?nil|relegat(?:ion|ed)|promot(?:ion|ed)|qualif(?:y|ies|ication)|weiterkommen|se (?:qualifie|clasifica)|passa il turno|awans|(?:tournament|group|league|cup|title|division|conference) winner)$/,
    'That is another bet than one on the game.',
  ],
  [
    /^(?:halbzeit|mi-?temps|mitad|descanso|intervalo|primo tempo|rust)$/,
    'That is a part of the game: name the market in a column.',
  ],
  [
    /\bvoid(?:ed)? (?:if|unless)\b|^(?:(?:only|solo|nur|seulement|so) )?(?:if|when|unless|si|se|wenn|falls) .*\b(?:plays?|starts?|is (?:in|out|active)|juega|titular|joue|gioca|spielt)\b|\bmust start\b|\blisted pitchers?\b/,
    'That makes the bet depend on a condition that is not graded here.',
  ],
];

/** @throws RowRefused if a cell says that the bet was not made */
function checkMade({ header, cell }: HeadedCell): void {
  if (isUnmade(cell)) throw new RowRefused(`${header} says ${cell}, so nobody made the bet.`);
}

/** Reads a cell of a column that no field reads. @throws RowRefused */
export function checkRemark({ header, cell }: HeadedCell, notes: string[]): void {
  const text = plainLetters(cell.trim());
  const behind = text.replace(live, '').trim();
  const isLive = behind !== text && /^(?:|bet|wager|pick|(?:min\w*\.? ?)?\d{1,3}\D{0,9})$/.test(behind);
  if (isLive || liveBet.test(text)) throw new RowRefused(`${header} says ${refusedLive(cell)}`);
  const headed = text === 'listed' ? `${text} ${plainLetters(header)}` : text;
  const why = excluding.find(([says]) => says.test(headed))?.[1];
  if (why !== undefined) throw new RowRefused(`${header} says ${cell}. ${why}`);
  if (!/\p{L}{3}/u.test(text)) return;
  const found = structureOf(cell);
  if (typeof found === 'object' && !live.test(text)) throw new RowRefused(`${header} says ${found.refused}`);
  checkMade({ header, cell });
  if (typeof found === 'object') notes.push(`${header} says ${cell}, which is not read.`);
  for (const [says, note] of noted) if (says.test(text)) notes.push(note(cell, header));
}

/** Checks a cell about how the bet is built. @throws RowRefused */
function checkKind({ header, cell }: HeadedCell, notes: string[]): void {
  if (structureOf(cell) !== undefined) return;
  const said = saysYes(cell);
  const isOther = /tag|[ck]ategor/i.test(header) || (said === undefined && ofPicks.test(cell));
  if (said !== false && !isOther)
    throw new RowRefused(
      said === true
        ? `${header} ${cell}: a bet on several selections is not one pick.`
        : `${header} says ${cell}, which nobody knows here. Write Single, or skip the column with --map '${header}=-'.`,
    );
  if (said === undefined) notes.push(`${header} says ${cell}, which is not read.`);
}

function checkLegs({ header, cell }: HeadedCell): void {
  const count =
    structureOf(cell) === 'single' ? 1 : Number(cell.replace(/\s*(?:legs?|selections?|picks?)$/i, ''));
  if (!Number.isInteger(count) || count > 1)
    throw new RowRefused(`${header} ${cell}: a bet with several legs is not one pick.`);
}

/** The fields whose yes or no changes a bet. */
const changing = sheetFields.filter((field) => {
  const { refusedIfYes, refusedIfNo, noted } = columnOf(field);
  return [refusedIfYes, refusedIfNo, noted].some((each) => each !== undefined);
});

/**
 * Checks the columns that change what was bet: type, legs, live, lay, each-way, boosts, cash-outs, free bets.
 * @returns whether the bet was cashed out
 * @throws RowRefused
 */
export function checkModifiers(cellsOf: AllCells, notes: string[]): { isCashedOut: boolean } {
  for (const field of ['kind', 'market', 'side'] as const)
    for (const headed of cellsOf(field)) {
      const found = structureOf(headed.cell);
      if (typeof found === 'object') throw new RowRefused(found.refused);
      if (field === 'kind') checkKind(headed, notes);
    }
  cellsOf('legs').forEach(checkLegs);
  cellsOf('result').forEach(checkMade);
  for (const field of changing) {
    const { refusedIfYes, refusedIfNo, noted } = columnOf(field);
    for (const { header, cell } of cellsOf(field)) {
      const said = saysYes(cell);
      const why = said === false ? refusedIfNo?.(cell, header) : undefined;
      if (why !== undefined) throw new RowRefused(why);
      if (said !== false && refusedIfYes !== undefined)
        throw new RowRefused(
          said === true ? refusedIfYes : `${header} says ${cell}, which is neither yes nor no.`,
        );
      if (said !== false && noted !== undefined) notes.push(noted(cell, header));
    }
  }
  for (const remark of cellsOf('comment')) checkRemark(remark, notes);
  // `Betfair (Lay)`
  for (const { header, cell } of cellsOf('book'))
    checkRemark({ header, cell: cell.replace(/[()]/g, '').split(' ').at(-1)! }, notes);
  return {
    isCashedOut:
      cellsOf('cashOut').some(({ cell }) => saysYes(cell) !== false) ||
      cellsOf('comment').some(({ cell }) => cashOut.test(plainLetters(cell.trim()))),
  };
}
