import { plainLetters } from '../rules/plain-name.ts';

/**
 * A row's own result. `drawn`: the match ended level. `settled`: the cell says no more than that the bet ended. `open`: not settled. `cashout`:
 * sold before it was settled, so the result is unknown. `unmade`: nobody made the bet.
 */
export type RowResult =
  | { result: 'win' | 'loss' | 'push' | 'void'; half: boolean }
  | 'open'
  | 'cashout'
  | 'unmade'
  | 'drawn'
  | 'settled';

const win = { result: 'win', half: false } as const;
const loss = { result: 'loss', half: false } as const;
const push = { result: 'push', half: false } as const;
const back = { result: 'void', half: false } as const;

/** Words in several languages that mean one result only. */
const words: readonly (readonly [RegExp, RowResult])[] = [
  [
    /^(?:won|wins?|winner|hit|cashed|green|gagnee?|gagnant|gana(?:da|do|r)|ganha|ganhou|vint[ao]|vincente|vittoria|victoire|gewonnen|gewinn|winst|vundet|zwyciestwo|wygrana|vinst|gevinst|acertad[ao]|acierto|acerto|richtig|goed|✔️?|✓|🟢|🟩|👍|✅)$/u,
    win,
  ],
  [
    /^(?:loss|lost|loses?|loser|miss|missed|red|perdue?|perdant|perdid[ao]|perdeu|pers[ao]|perdente|defaite|verloren|verlust|verlies|tabt|przegrana|forlust|fallad[ao]|fallo|errad[ao]|falsch|fout|✖️?|✗|✘|🔴|🟥|👎|❌)$/u,
    loss,
  ],
  [/^(?:push|pushed|even)$/, push],
  [
    /^(?:void|voided|refund|refunded|cancel|cancell?ed|no action|na|n\/a|nb|dnp|postponed|nul[ao]|anulad[ao]|annulee?|annullat[ao]|rembourse?e?|reembols(?:o|ad[ao])|zwrot|terugbetaald|rimborsat[ao]|devuelt[ao]|devolvid[ao]|erstattet|ruckzahlung|storniert|abandoned|returned|stake (?:back|returned)|money back|scratched|lapsed|non[ -]?runner|nr|dead ?heat)$/,
    back,
  ],
  [/^(?:draw|drawn|tie|tied|empate|remis|pareggio|match nul|unentschieden|gelijk)$/, 'drawn'],
  [/^(?:settled|graded|resulted|closed|completed?|final|finished|paid|yes|true)$/, 'settled'],
  [
    /^(?:|-|pending|open|placed|live|unsettled|tbd|active|in progress|running|ungraded|pendiente|pendente|en cours|en attente|in corso|offen|unresulted|no|false|accepted|confirmed|tba|\?)$/,
    'open',
  ],
  [/^(?:(?:partial(?:ly)? )?cash(?:ed)?[ -]?out|ausgezahlt|venduta|cobrad[ao])\b.*$/, 'cashout'],
  [
    /^(?:pass(?:ed)?|skip(?:ped)?|no (?:bet|play|stake)|missed (?:it|(?:the )?bet)|(?:did ?n.?t|did not|could ?n.?t) (?:bet|play|place|take|get)\b.*|(?:nicht|pas|non?|nao|niet|ikke|inte) (?:gespielt|gesetzt|platziert|jouee?|apostad[oa]|jugad[oa]|giocat[oa]|jogad[oa]|gespeeld|spilt|spelad)|removed|deleted|duplicated?(?: bet)?|(?:nur )?test(?: bet)?|not (?:placed|taken|played|matched|accepted)|unplaced|unmatched|rejected|declined|(?:.* )?paper(?: (?:bet|trade))?|(?:lean|tracking)(?: only)?|hypothetical|simulated)$/,
    'unmade',
  ],
];

/** Words for half of a result, before or behind it: `Half won`, `1/2 L`, `Media ganada`. */
const halfOf =
  /^(?:half|1[/⁄]2|½|demi|medi[ao]|mezz[ao]|halbe?|mei[ao])[ -]?(?<behind>.+)$|^(?<before>.+?)[ -]?(?:half|1[/⁄]2|½)$/;

/** Returns what a word means in every column. */
function meaningOf(key: string): RowResult | undefined {
  const { behind, before } = halfOf.exec(/^h[wl]$/.test(key) ? `half ${key[1]}` : key)?.groups ?? {};
  const rest = (behind ?? before)?.replace(/ half push(?:ed)?$/, '');
  const whole = /^[wl]$/.test(rest ?? '') ? { w: win, l: loss }[rest as 'w'] : wordIn(rest ?? key);
  if (rest === undefined) return whole;
  return whole === win || whole === loss ? { ...whole, half: true } : wordIn(key);
}

const wordIn = (key: string) => words.find(([pattern]) => pattern.test(key))?.[1];

/** Meanings of single letters and numbers beside each other. Each alphabet lists its certain letters; every other one is asked about. */
const alphabets: readonly { has: readonly string[]; means: Readonly<Record<string, RowResult>> }[] = [
  { has: ['w', 'l'], means: { w: win, l: loss, v: back } },
  // V is void in English, and lost in Dutch.
  { has: ['w', 'v'], means: { w: win } },
  { has: ['w'], means: { w: win, l: loss } },
  { has: ['l'], means: { w: win, l: loss, v: back } },
  { has: ['g', 'p'], means: { g: win, p: loss, n: back } },
  { has: ['v', 'p'], means: { v: win, p: loss, n: back } },
  { has: ['v', 'd'], means: { v: win, d: loss, n: back } },
  { has: ['g', 'v'], means: { g: win, v: loss } },
  { has: ['1', '0'], means: { 1: win, 0: loss } },
  { has: ['1', '-1'], means: { 1: win, '-1': loss, 0: back } },
];

/** The results that a person can choose for a letter. */
export const resultChoices = ['win', 'loss', 'push', 'void', 'open'] as const;

export interface ResultColumn {
  /** Reads a cell. Returns undefined if nobody said what it means. */
  read(cell: string): RowResult | undefined;
  /** Cells that the column does not decide, most frequent first, with their number of rows. */
  open: { cell: string; rows: number }[];
  /** Decisions beyond plain English, as sentences. */
  guesses: string[];
}

/** Reports whether a cell says that nobody made the bet. */
export function isUnmade(cell: string): boolean {
  return meaningOf(plain(cell)) === 'unmade';
}

export function isResult(cell: string): boolean {
  const key = plain(cell);
  return /^(?:\p{L}|-?\d)$/u.test(key) || meaningOf(key) !== undefined;
}

/** Returns a result that a column such as `Won` gives as yes or no. */
export function resultCell(header: string, cell: string): string {
  if (!/^(?:won|win|hit|correct|cashed|covered|cover|acierto|acertou)\W*$/i.test(header)) return cell;
  if (/^(?:true|yes|y|1|x|s[ií]|sim)$/i.test(cell)) return 'won';
  return /^(?:false|no|n|0|n[aã]o)$/i.test(cell) ? 'lost' : cell;
}

const plain = (cell: string) =>
  plainLetters(cell.trim())
    .replace(/^(?:settled|bet)[ _-]+(?=\p{L})/u, '')
    // `Won 2-1 ✅` is as good as `Won`.
    .replace(/(?<=\p{L}.*)\s*[(\s]\d{1,3}\s?[-:]\s?\d{1,3}\)?$/u, '')
    .replace(/(?<=\p{L})[\s!.]*[✅❌✔✓✗🟢🔴]\ufe0f?$|^[✅❌✔✓✗🟢🔴]\ufe0f?\s*(?=\p{L})/u, '')
    .replaceAll('_', ' ');

/**
 * Decides what the cells of a result column mean, from the whole column: `P` is pushed, pending, or lost, depending on the other letters.
 * The profits of a letter's rows prove its meaning.
 * @param rows each row's cell and profit, if it has one
 * @param answered the operator's answers, by cell
 */
export function resultColumnOf(
  rows: readonly { cell: string; profit: number | undefined }[],
  answered: (cell: string) => string | undefined,
): ResultColumn {
  const profits = new Map<string, { cell: string; rows: number; profits: number[] }>();
  for (const { cell, profit } of rows) {
    const key = plain(cell);
    const each = profits.get(key) ?? { cell, rows: 0, profits: [] };
    each.rows += 1;
    if (profit !== undefined) each.profits.push(profit);
    profits.set(key, each);
  }
  const isLetter = (key: string) => /^(?:\p{L}|-?\d|x)$/u.test(key);
  const letters = [...profits.keys()].filter(isLetter);
  const means = alphabets.find(({ has }) => has.every((letter) => letters.includes(letter)))?.means ?? {};
  const known = new Map<string, RowResult>();
  const open: ResultColumn['open'] = [];
  const guesses: string[] = [];
  for (const [key, { cell, rows: count, profits: own }] of profits) {
    const said = answered(cell);
    const word = isLetter(key) ? means[key] : meaningOf(key);
    if (said !== undefined) known.set(key, said === 'open' ? said : { result: said as 'win', half: false });
    else if (word !== undefined) {
      known.set(key, word);
      if (isLetter(key) && typeof word === 'object' && !/^[wl]$/.test(key))
        guesses.push(`${cell} in the results is read as ${word.result}, judging by the other letters.`);
    } else {
      const proven = provenBy(own, count);
      if (proven === undefined) open.push({ cell, rows: count });
      else {
        known.set(key, proven);
        guesses.push(`${cell} in the results is read as ${proven.result}, judging by the profits.`);
      }
    }
  }
  open.sort((a, b) => b.rows - a.rows);
  return { read: (cell) => known.get(plain(cell)), open, guesses };
}

function provenBy(profits: readonly number[], rows: number) {
  if (profits.length === 0 || profits.length < rows) return undefined;
  if (profits.every((profit) => profit > 0)) return win;
  if (profits.every((profit) => profit < 0)) return loss;
  return undefined;
}
