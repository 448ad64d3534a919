import { bookAmongWords } from '../book-words.ts';
import { type OddsFormat, readOdds } from '../odds-format.ts';
import { longestSportWord, sportMeant } from '../sport-words.ts';
import type { BetReading } from './bet.ts';
import type { BetGame, Day, Named } from './day.ts';
import { dayOf } from './day.ts';
import { type Part, partMarkets, partMeant } from './parts.ts';
import { bareMeanings, isSpread, isStatLine, isTeamTotal, isTotal, isUsualLine } from './plausible.ts';
import { betText } from './print.ts';
import { isQuestion, longestStatistic, playerMarketsMeant } from './statistics.ts';
import { longestText, type Token, tokensOf } from './tokens.ts';
import {
  betWords,
  countedByTeams,
  filler,
  isNoName,
  isOverOrUnder,
  markets,
  type SaidMarket,
  severalBets,
  versus,
} from './words.ts';

/** What a text says: one bet, one of several bets, or why it is none that can be read. Docs: docs/rules/bet-text.md */
export type BetText =
  | { kind: 'bet'; bet: BetReading; notes: string[] }
  | { kind: 'choices'; why: string; choices: BetReading[] }
  | { kind: 'refused'; reason: string };

/** The most bets between which somebody is asked. */
export const mostChoices = 12;

/**
 * Reads a bet as people write it, against the games that it can be about: docs/rules/bet-text.md. Nothing is guessed: a text that fits
 * several bets gives all of them, and one with a word that means nothing is refused.
 */
export function readBetText(text: string, games: readonly BetGame[]): BetText {
  const trimmed = text.trim();
  if (trimmed === '') return refused('There is no text.');
  if (trimmed.length > longestText) return refused(`The text is longer than ${longestText} characters.`);
  const tokens = tokensOf(trimmed);
  if (tokens === undefined) return refused('The text has too many parts to be one bet.');
  const several = severalBets(trimmed);
  if (several !== undefined) return refused(several);
  const said = new Said(tokens, dayOf(games));
  const fault = said.read();
  if (fault !== undefined) return refused(fault);
  return said.bets();
}

function refused(reason: string): BetText {
  return { kind: 'refused', reason };
}

interface Span {
  from: number;
  /** Behind the last token. */
  to: number;
  named: readonly Named[];
}

interface Numbers {
  line: number | null;
  odds: OddsText;
}

/** Words for a market about a player, with its meanings in each sport. */
interface Statistic {
  from: number;
  to: number;
  bySport: Map<string, readonly string[]>;
}

/** A text while it is read. Each token is used once. */
class Said {
  readonly #tokens: readonly Token[];
  readonly #day: Day;
  readonly #used: boolean[];
  readonly #keys: string[];
  readonly #spans: Span[] = [];
  #sports: readonly string[] | undefined;
  #side: 'over' | 'under' | undefined;
  #sideAt = -1;
  #answer: 'yes' | 'no' | undefined;
  #market: SaidMarket | undefined;
  #part: Part | undefined;
  #gameNumber: number | undefined;
  #book: string | undefined;
  #stake: number | undefined;
  #statistic: Statistic | undefined;
  #isSets = false;
  #lines: { at: number; value: number; isSigned: boolean }[] = [];
  #odds: { at: number; odds: OddsText }[] = [];
  #open: number[] = [];
  readonly #notes: string[] = [];

  constructor(tokens: readonly Token[], day: Day) {
    this.#tokens = tokens;
    this.#day = day;
    this.#used = tokens.map(() => false);
    this.#keys = tokens.map(({ raw }) => raw.toLowerCase().replace(/[^\p{L}\p{N}+&#]/gu, ''));
  }

  /** @returns why the text is no bet, if that is plain before its game is */
  read(): string | undefined {
    this.#marks();
    this.#phrases();
    const fault = this.#rotationAndStakes() ?? this.#sport();
    if (fault !== undefined) return fault;
    this.#names((words) => this.#day.find(words).filter(({ sure }) => sure));
    this.#statistics();
    this.#single();
    this.#names((words) => this.#day.find(words));
    return this.#numbers();
  }

  /** Joins a sign to the number that it stands before: `Magic - 1.5`. Elsewhere a dash parts what it stands between. */
  #marks(): void {
    this.#tokens.forEach((token, at) => {
      if (token.kind !== 'mark' || !/^[+-]$/.test(token.raw)) return;
      const next = this.#tokens[at + 1];
      const before = this.#tokens[at - 1];
      const isBehindName = before?.kind === 'word' && !isOverOrUnder(this.#keys[at - 1]!);
      const isPrice = before?.kind === 'mark' && /^[(@]$/.test(before.raw);
      if (next?.number === undefined || next.number.sign !== '' || !(isBehindName || isPrice)) return;
      const { value, unit, under, hasPoint } = next.number;
      // `Lakers ML - 1.91` and `Lakers ML - 2u` have a dash.
      if (unit !== '' || under !== undefined || (hasPoint && value % 0.25 !== 0)) return;
      if (/^(?:ml|moneyline|pk)$/.test(this.#keys[at - 1]!) && value < 100) return;
      next.number.sign = token.raw as '+' | '-';
      this.#used[at] = true;
    });
  }

  /** Phrases of several words, before names: `to win` is no abbreviation of a team. */
  #phrases(): void {
    const phrases: readonly (readonly [RegExp, () => void])[] = [
      [/^money line$/, () => this.#named('moneyline')],
      [/^straight up$/, () => this.#named('moneyline')],
      [/^to win$/, () => this.#named('moneyline')],
      [/^(?:match|fight|game) winner$/, () => this.#named('moneyline')],
      [/^team totals?$/, () => this.#named('team_total')],
      [/^(?:run|puck|point|goal) (?:line|spread|handicap)$/, () => this.#named('spread')],
      [/^asian handicap$/, () => this.#named('spread')],
      [/^(?:to )?draw no bet$/, () => this.#named('draw_no_bet')],
      [/^double chance$/, () => this.#named('double_chance')],
      [/^(?:or|\/) (?:draw|tie)$/, () => this.#named('double_chance')],
      [/^both teams (?:to )?score$/, () => this.#named('btts')],
      [/^(?:o\/u|over under)$/, () => this.#named('total')],
      [/^no runs? (?:in )?(?:the )?(?:1st|first)(?: inning)?$/, () => this.#firstInning('under')],
    ];
    for (let at = 0; at < this.#tokens.length; at += 1)
      for (let count = Math.min(7, this.#tokens.length - at); count >= 2; count -= 1) {
        const words = this.#keys.slice(at, at + count).join(' ');
        const part = partMeant(words);
        const found = phrases.find(([pattern]) => pattern.test(words));
        if ((part === undefined && found === undefined) || this.#isUsed(at, at + count)) continue;
        this.#use(at, at + count);
        if (found !== undefined) found[1]();
        else this.#part = part;
        break;
      }
  }

  #named(market: SaidMarket): void {
    this.#market = market;
  }

  #firstInning(side: 'over' | 'under'): void {
    this.#part = '1st_1_innings';
    this.#market = 'total';
    this.#side = side;
    this.#lines.push({ at: 0, value: 0.5, isSigned: false });
  }

  #rotationAndStakes(): string | undefined {
    const [first, second] = this.#tokens;
    const lead = first?.number;
    if (
      lead !== undefined &&
      lead.sign === '' &&
      !lead.hasPoint &&
      lead.unit === '' &&
      second?.kind !== undefined
    ) {
      // `504 Kings`, `1. Kings`, `3) Kings`
      const isRotation = lead.value >= 100 && lead.value < 100_000 && second.kind === 'word';
      const isItem =
        lead.value < 100 &&
        ((second.kind === 'mark' && /^[)|-]$/.test(second.raw)) || /\.$/.test(first!.raw));
      if ((isRotation || isItem) && !isOverOrUnder(this.#keys[1]!)) this.#used[0] = true;
    }
    const stakes: { at: number; value: number; isRisk: boolean; toWin: boolean }[] = [];
    this.#tokens.forEach(({ number, raw }, at) => {
      if (number === undefined || this.#used[at]) return;
      const next = this.#keys[at + 1] ?? '';
      const before = this.#keys[at - 1] ?? '';
      const follows = /^(?:u|unit|units|star|stars)$/.test(next) && !this.#used[at + 1];
      // `Doe u 5.5` is an under: a letter apart is units only behind the price.
      const isUnits =
        number.unit === 'u' || (follows && (next !== 'u' || this.#tokens[at + 2]?.number === undefined));
      const isEqual = before === '' && this.#tokens[at - 1]?.raw === '=' && number.sign === '';
      if (number.isMoney || number.unit === '%' || number.unit === 'k') {
        this.#used[at] = true;
        this.#notes.push(`${raw} is not a stake in units, so the stake is left open.`);
        return;
      }
      if (!isUnits && !isEqual) return;
      const value = number.under === undefined ? number.value : number.value / number.under;
      stakes.push({
        at,
        value,
        isRisk: /^risk(?:ing|ed)?$/.test(before),
        toWin: before === 'win',
      });
      this.#use(at, at + (follows && number.unit !== 'u' ? 2 : 1));
    });
    const risks = stakes.some(({ isRisk }) => isRisk)
      ? stakes.filter(({ isRisk }) => isRisk)
      : stakes.filter(({ toWin }) => !toWin);
    if (risks.length === 0 && stakes.length > 0)
      this.#notes.push('The text says what the bet wins, not what it risks, so the stake is left open.');
    const values = new Set(risks.map(({ value }) => value));
    if (values.size > 1) return 'The text has two stakes.';
    const [stake] = values;
    if (
      stake !== undefined &&
      (stake <= 0 || stake > 100 || Math.abs(stake * 100 - Math.round(stake * 100)) > 1e-6)
    )
      return `A stake is more than 0 and at most 100 units, in steps of 0.01; ${stake} is not.`;
    this.#stake = stake;
    if (stakes.length > 0) this.#forget(/^(?:to|win|risk|risking|risked|for)$/, /^win$/);
    return undefined;
  }

  /** Leaves words out that belong to a stake; `win` in `to win 2u` is no moneyline. */
  #forget(words: RegExp, needed: RegExp): void {
    this.#keys.forEach((key, at) => {
      if (!this.#used[at] && words.test(key) && (needed.test(key) || needed.test(this.#keys[at + 1] ?? '')))
        this.#used[at] = true;
    });
  }

  #sport(): string | undefined {
    for (let at = 0; at < this.#tokens.length; at += 1)
      for (let count = Math.min(longestSportWord, this.#tokens.length - at); count >= 1; count -= 1) {
        if (this.#isUsed(at, at + count) || this.#tokens[at]!.kind !== 'word') continue;
        const words = this.#keys.slice(at, at + count).join(' ');
        const meaning = count === 1 && filler.has(words) ? undefined : sportMeant(words);
        if (meaning === undefined) continue;
        // A team may be called like a league's place: names come first.
        if (this.#day.find(this.#raw(at, at + count)).some(({ sure }) => sure)) continue;
        if (meaning.sports.length === 0) return `${this.#raw(at, at + count)} is not a sport of this ledger.`;
        const both =
          this.#sports === undefined
            ? meaning.sports
            : this.#sports.filter((each) => meaning.sports.includes(each));
        if (both.length === 0) return 'The text names two sports.';
        this.#sports = both;
        this.#use(at, at + count);
        break;
      }
    return undefined;
  }

  /** Finds names, the longest first. */
  #names(find: (words: string) => readonly Named[]): void {
    const count = this.#tokens.length;
    for (let at = 0; at < count; at += 1) {
      if (this.#tokens[at]!.kind === 'mark') continue;
      for (let to = Math.min(count, at + this.#day.longest + 2); to > at; to -= 1) {
        if (this.#isUsed(at, to) || !this.#isOneName(at, to)) continue;
        const words = this.#raw(at, to);
        const own = to - at === 1 ? this.#keys[at]! : '';
        // `TT u` is no TTU.
        if (this.#keys.slice(at, to).some(isNoName) || this.#isNoTeam(at, own)) continue;
        const named = this.#allowed(find(words));
        if (named.length === 0) continue;
        this.#spans.push({ from: at, to, named });
        this.#use(at, to);
        at = to - 1;
        break;
      }
    }
    this.#spans.sort((one, other) => one.from - other.from);
  }

  /** Whether an abbreviation of a team is the answer to a question, or a statistic behind its line. */
  #isNoTeam(at: number, key: string): boolean {
    const before = this.#keys[at - 1] ?? '';
    if (key === 'no')
      return (
        this.#tokens[at]!.raw !== 'NO' || /^(?:score|btts|td|touchdown|scorer|double|goal)$/.test(before)
      );
    const isBehindNumber = this.#tokens[at - 1]?.number !== undefined;
    return (
      key === 'tb' &&
      isBehindNumber &&
      this.#spans.some(({ named }) => named.some(({ role }) => role === 'player'))
    );
  }

  #allowed(named: readonly Named[]): readonly Named[] {
    const sports = this.#sports;
    return sports === undefined
      ? named
      : named.filter(({ game }) => sports.includes(this.#day.games[game]!.sport));
  }

  /** Whether tokens can be one name: words and bare numbers, with parentheses around some. */
  #isOneName(from: number, to: number): boolean {
    const part = this.#tokens.slice(from, to);
    if (part.at(-1)!.kind === 'mark' && part.at(-1)!.raw !== ')') return false;
    return part.every(({ kind, raw, number }) => {
      if (kind === 'mark') return /^[()&-]$/.test(raw);
      return (
        number === undefined ||
        (number.sign === '' &&
          number.unit === '' &&
          !number.hasPoint &&
          !number.isMoney &&
          number.under === undefined)
      );
    });
  }

  #statistics(): void {
    const sports = this.#sports ?? [...new Set(this.#day.games.map(({ sport }) => sport))];
    let best: Statistic | undefined;
    for (let at = 0; at < this.#tokens.length; at += 1)
      for (let to = Math.min(this.#tokens.length, at + longestStatistic + 2); to > at; to -= 1) {
        if (best !== undefined && to - at <= best.to - best.from) break;
        if (this.#isUsed(at, to) || !this.#isStatistic(at, to)) continue;
        const words = this.#raw(at, to);
        if (isOverOrUnder(words.toLowerCase())) continue;
        const bySport = new Map(
          sports.flatMap((sport) => {
            const markets = playerMarketsMeant(sport, words);
            return markets.length === 0 ? [] : [[sport, markets] as const];
          }),
        );
        if (bySport.size > 0) best = { from: at, to, bySport };
      }
    if (best === undefined) return;
    this.#statistic = best;
    // Units of a line, such as runs, leave the text when it is not about a player.
    this.#use(best.from, best.to);
  }

  #isStatistic(from: number, to: number): boolean {
    const part = this.#tokens.slice(from, to);
    if (part[0]!.kind === 'mark' || part.at(-1)!.kind === 'mark') return false;
    if (part.every(({ kind }) => kind === 'number')) return false;
    return part.every(({ kind, raw, number }, at) => {
      if (kind === 'mark') return /^[+&/-]$/.test(raw);
      // `3 pointers`, but not `8.5 runs`.
      return (
        number === undefined || (at === 0 && number.value === 3 && number.sign === '' && number.unit === '')
      );
    });
  }

  /** Single words with a meaning of their own. */
  #single(): void {
    for (let at = 0; at < this.#tokens.length; at += 1)
      if (!this.#used[at] && this.#tokens[at]!.kind !== 'mark') this.#used[at] = this.#isMeant(at);
    // `Game 2`, `(Game 1)`.
    this.#tokens.forEach(({ number }, at) => {
      if (this.#used[at] || number === undefined || !/^(?:game|gm|#)$/.test(this.#keys[at - 1] ?? '')) return;
      if (number.value !== 1 && number.value !== 2) return;
      this.#gameNumber = number.value;
      this.#used[at] = true;
    });
  }

  /** Whether a single word means something of a bet, which is noted. */
  #isMeant(at: number): boolean {
    const { raw } = this.#tokens[at]!;
    const key = this.#keys[at]!;
    const side = betWords.over.has(key) ? 'over' : betWords.under.has(key) ? 'under' : undefined;
    if (side !== undefined && (this.#side === undefined || this.#side === side)) {
      this.#side = side;
      this.#sideAt = at;
      return true;
    }
    const market = markets.get(key);
    if (market !== undefined && (this.#market === undefined || this.#market === market)) {
      this.#market = market;
      return true;
    }
    if (key === 'nrfi' || key === 'yrfi') {
      this.#firstInning(key === 'nrfi' ? 'under' : 'over');
      return true;
    }
    if (key === 'yes' || key === 'no') {
      this.#answer = key;
      return true;
    }
    const part = partMeant(key);
    if (part !== undefined && this.#part === undefined) {
      this.#part = part;
      return true;
    }
    const numbered = /^(?:g|gm|game|#)([12])$/.exec(key);
    if (numbered !== null) {
      this.#gameNumber = Number(numbered[1]);
      return true;
    }
    if (/^(?:pk|pickem)$/.test(key)) {
      this.#market = 'spread';
      this.#lines.push({ at, value: 0, isSigned: true });
      return true;
    }
    if (/^(?:even|evens|ev)$/.test(key)) {
      this.#odds.push({ at, odds: { american: [100] } });
      return true;
    }
    if (/^sets?$/.test(key)) {
      this.#isSets = true;
      return true;
    }
    if (/^#\p{L}/u.test(key)) return true;
    const two =
      at + 1 < this.#tokens.length && !this.#used[at + 1] ? bookAmongWords(this.#raw(at, at + 2)) : undefined;
    const book = two ?? bookAmongWords(raw);
    if (book === undefined) return false;
    this.#book = book;
    if (two !== undefined) this.#used[at + 1] = true;
    return true;
  }

  /** @returns a fault, such as two prices */
  #numbers(): string | undefined {
    const behindOver =
      this.#sideAt === -1
        ? -1
        : this.#tokens.findIndex(({ kind }, at) => at > this.#sideAt && kind !== 'mark');
    for (const [at, { number, raw }] of this.#tokens.entries()) {
      if (number === undefined || this.#used[at]) continue;
      const { value, sign, hasPoint, unit, under } = number;
      if (unit === '+') {
        if (this.#side === 'under') return `${raw} and under contradict each other.`;
        this.#side = 'over';
        this.#lines.push({ at, value: value - 0.5, isSigned: false });
      } else if (under !== undefined) {
        this.#odds.push({ at, odds: americanMeant(`${value}/${under}`, 'fractional') });
      } else if (at === behindOver && sign === '' && value <= 400) {
        this.#lines.push({ at, value, isSigned: false });
      } else if (sign !== '' && !hasPoint && value >= 100) {
        this.#odds.push({ at, odds: americanMeant(`${sign}${value}`, 'american') });
      } else if (sign !== '' && value < 100) {
        this.#lines.push({ at, value: sign === '-' ? 0 - value : value, isSigned: true });
      } else {
        this.#open.push(at);
        continue;
      }
      this.#used[at] = true;
    }
    if (this.#odds.length > 1) return 'The text has two prices.';
    if (this.#lines.length > 1) return 'The text has two lines.';
    const [line] = this.#lines;
    if (line !== undefined && (line.value * 4) % 1 !== 0)
      return `A line is in steps of 0.25; ${line.value} is not.`;
    return undefined;
  }

  /** The ways in which the numbers that are left can be line and price. */
  #numberWays(): Numbers[] {
    const valueAt = (at: number) => this.#tokens[at]!.number!;
    const odds = this.#odds[0]?.odds;
    const line = this.#lines[0]?.value ?? null;
    const asOdds = (at: number): OddsText | undefined => {
      const { value, hasPoint, sign } = valueAt(at);
      if (sign !== '') return undefined;
      const meant = hasPoint
        ? americanMeant(String(value), 'decimal')
        : value >= 100 && value <= 100_000
          ? { american: [value, -value] }
          : { american: [] };
      return meant.american.length === 0 ? undefined : meant;
    };
    const asLine = (at: number) => {
      const { value, sign } = valueAt(at);
      return sign === '' && (value * 4) % 1 === 0 && value <= 400 ? value : undefined;
    };
    const none: OddsText = { american: [null] };
    const ways: Numbers[] = [];
    const [one, two] = this.#open;
    if (one === undefined) return [{ line, odds: odds ?? none }];
    if (this.#open.length > 2) return [];
    const needsLine = line === null && this.#side !== undefined;
    if (two === undefined) {
      const price = asOdds(one);
      if (odds === undefined && price !== undefined && !(needsLine && asLine(one) !== undefined))
        ways.push({ line, odds: price });
      if (needsLine && asLine(one) !== undefined) ways.push({ line: asLine(one)!, odds: odds ?? none });
      return ways;
    }
    if (odds !== undefined || !needsLine) return [];
    for (const [a, b] of [
      [one, two],
      [two, one],
    ] as const) {
      const [points, price] = [asLine(a), asOdds(b)];
      if (points !== undefined && price !== undefined) ways.push({ line: points, odds: price });
    }
    return ways;
  }

  bets(): BetText {
    if (this.#isSets) return refused('Sets are not a declared market: post it with its market and side.');
    const subject = this.#unknownPlayer();
    const left = this.#leftOver(subject);
    if (left !== undefined) return refused(left);
    const ways = this.#numberWays();
    if (ways.length === 0)
      return refused(
        `The text has numbers of which nothing says whether they are a line, a price, or a stake: ${this.#open.map((at) => this.#tokens[at]!.raw).join(', ')}.`,
      );
    const games = this.#games(subject !== undefined);
    if (typeof games === 'string') return refused(games);
    const found = new Map<string, { bet: BetReading; sure: boolean }>();
    let why = 'The text names no market: write ML, a spread, or over or under a line.';
    for (const game of games)
      for (const { line, odds } of ways)
        for (const { bet, fault, sure } of this.#readings(game, line, subject)) {
          if (bet === undefined) {
            why = fault ?? why;
            continue;
          }
          for (const oddsAmerican of odds.american) {
            const one: BetReading = {
              ...bet,
              oddsAmerican,
              stakeUnits: this.#stake ?? null,
              book: this.#book ?? null,
            };
            const key = JSON.stringify(one);
            const before = found.get(key);
            found.set(key, { bet: one, sure: sure || before?.sure === true });
          }
        }
    const all = [...found.values()];
    const [only] = all;
    if (only === undefined) return refused(why);
    if (all.length === 1 && only.sure) return { kind: 'bet', bet: only.bet, notes: this.#notes };
    if (all.length > mostChoices) return refused(`The text fits ${all.length} bets: name the game.`);
    return {
      kind: 'choices',
      why:
        all.length === 1
          ? `Is this meant: ${betText(only.bet)}?`
          : `The text can be any of ${all.length} bets.`,
      choices: all.map(({ bet }) => bet),
    };
  }

  /** The words that name a player whom the day does not know, next to a statistic. */
  #unknownPlayer(): { name: string; from: number; to: number } | undefined {
    if (
      this.#statistic === undefined ||
      this.#spans.some(({ named }) => named.some(({ role }) => role === 'player'))
    )
      return undefined;
    const isName = (at: number) =>
      this.#tokens[at]?.kind === 'word' && !this.#used[at] && !filler.has(this.#keys[at]!);
    for (let first = 0; first < this.#tokens.length; first += 1) {
      if (!isName(first)) continue;
      let to = first + 1;
      while (isName(to)) to += 1;
      // A first name may be a word that else says nothing: `Max Gull`.
      const before = this.#tokens[first - 1];
      const hasMore = before?.kind === 'word' && !this.#used[first - 1] && /^\p{Lu}/u.test(before.raw);
      const from = to - first === 1 && hasMore ? first - 1 : first;
      const name = this.#raw(from, to);
      return to - from >= 2 && to - from <= 4 && name.length <= 80 && /^\p{L}[\p{L}.' -]+$/u.test(name)
        ? { name, from, to }
        : undefined;
    }
    return undefined;
  }

  /** Why a word or number of the text belongs nowhere. */
  #leftOver(subject: { from: number; to: number } | undefined): string | undefined {
    for (let at = 0; at < this.#tokens.length; at += 1) {
      const { kind, raw, number } = this.#tokens[at]!;
      if (this.#used[at] || (subject !== undefined && at >= subject.from && at < subject.to)) continue;
      if (kind === 'mark') {
        if (raw === '+' || raw === '&') return 'The text joins two bets: post each of them as a pick.';
        continue;
      }
      if (number !== undefined) {
        if (this.#open.includes(at)) continue;
        return `${raw} is no line, price, or stake.`;
      }
      if (this.#keys[at] === 'hit' && this.#keys[at - 1] === 'to') continue;
      if (filler.has(this.#keys[at]!) || versus.has(this.#keys[at]!) || this.#keys[at] === '') continue;
      const near = this.#allowed(this.#day.similar(raw));
      if (near.length > 0) {
        const names = [...new Set(near.map(({ name }) => name))].slice(0, 3);
        return `No team or player ${raw} plays in these games. Did you mean ${names.join(', or ')}?`;
      }
      return `No team or player ${raw} plays in these games, and the word says nothing about a bet.`;
    }
    return undefined;
  }

  /** The games that all names of the text have in common, or why there is none. */
  #games(isAboutPlayer: boolean): number[] | string {
    let games: number[] | undefined;
    for (const { named, from, to } of this.#spans) {
      const own = new Set(named.map(({ game }) => game));
      const both = games === undefined ? [...own] : games.filter((game) => own.has(game));
      if (both.length === 0)
        return `${this.#raw(this.#spans[0]!.from, this.#spans[0]!.to)} and ${this.#raw(from, to)} are in no game together.`;
      games = both;
    }
    const sports = this.#sports;
    if (games === undefined) {
      if (this.#side === undefined || isAboutPlayer)
        return 'The text names no team or known player of these games.';
      games = this.#day.games.flatMap(({ sport }, at) =>
        sports === undefined || sports.includes(sport) ? [at] : [],
      );
      if (games.length === 0) return 'There is no such game.';
    }
    return this.#gameNumber === undefined ? games : this.#ofDoubleheader(games, this.#gameNumber);
  }

  /** Of games of the same opponents, the one of that number. */
  #ofDoubleheader(games: readonly number[], number: number): number[] | string {
    const pairs = Map.groupBy(
      games,
      (game) => `${this.#day.games[game]!.sport}\n${this.#day.games[game]!.game}`,
    );
    const chosen = [...pairs.values()].flatMap((same) => {
      const inOrder = same.toSorted(
        (a, b) => (this.#day.games[a]!.startsAt ?? 0) - (this.#day.games[b]!.startsAt ?? 0),
      );
      return inOrder[number - 1] ?? [];
    });
    return chosen.length === 0 ? `These teams have no game ${number} here.` : chosen;
  }

  /** What the text means in a game, by its market. */
  *#readings(
    game: number,
    line: number | null,
    unknown: { name: string } | undefined,
  ): Generator<{
    bet?: Omit<BetReading, 'oddsAmerican' | 'stakeUnits' | 'book'>;
    fault?: string;
    sure: boolean;
  }> {
    const { sport, game: title, startsAt, moneylineWays, away, home } = this.#day.games[game]!;
    const sure = this.#spans.every(({ named }) => named.some((each) => each.game === game && each.sure));
    const bet = (market: string, side: string, points: number | null, subject: string | null = null) => ({
      bet: {
        sport,
        game: title,
        startsAt,
        away: away.name,
        home: home.name,
        market,
        subject,
        side,
        line: points,
      },
      sure,
    });
    const players = [
      ...new Set(
        this.#spans.flatMap(({ named }) =>
          named.filter((each) => each.game === game && each.role === 'player').map(({ name }) => name),
        ),
      ),
    ];
    const teamSpans = this.#spans.filter(
      ({ named }) =>
        named.some((each) => each.game === game && each.role !== 'player') &&
        !named.some((each) => each.game === game && each.role === 'player'),
    );
    const fault = (text: string) => ({ fault: text, sure: false });
    const subjects = players.length > 0 ? players : unknown === undefined ? [] : [unknown.name];
    if (subjects.length > 0 || this.#isPlayerQuestion(sport)) {
      if (subjects.length === 0) return yield fault('The text names a statistic and no player.');
      if (this.#part !== undefined)
        return yield fault(
          'No words are known for a player in a part of a game: post it with its market and side.',
        );
      const meant = this.#statistic?.bySport.get(sport) ?? [];
      if (meant.length === 0)
        return yield fault(`The text names ${subjects[0]} and no statistic of ${sport}.`);
      for (const market of meant.length > 1 && line !== null
        ? meant.filter((each) => isUsualLine(each, line))
        : meant)
        for (const subject of subjects)
          yield this.#player(sport, market, subject, line, bet) ??
            fault('The text names a player and neither over nor under a line.');
      return;
    }
    const part = this.#part;
    if (part !== undefined && partMarkets(part, sport, 'moneyline') === undefined)
      return yield fault(`A game of ${sport} has no such part.`);
    const about = (market: string) =>
      part === undefined ? { market, subject: null } : partMarkets(part, sport, market, title)!;
    const picks = this.#picks(game, teamSpans);
    if (this.#market === 'btts') return yield bet('btts', this.#answer ?? 'yes', null, title);
    if (this.#side !== undefined) {
      if (line === null) return yield fault('The text has over or under without a line.');
      if (this.#lines.some(({ isSigned }) => isSigned))
        return yield fault('The text has over or under and a spread.');
      const isPart = part !== undefined;
      const bothNamed = this.#areBothNamed(game, teamSpans);
      const isBare = teamSpans.length > 0 && !bothNamed && this.#market === undefined;
      const open = isBare
        ? bareMeanings(sport, line, isPart)
        : { total: isTotal(sport, line, isPart), team: false };
      const isTeam = this.#market === 'team_total';
      if (this.#market !== undefined && !isTeam && this.#market !== 'total')
        return yield fault('The text names two markets.');
      if (!isTeam && open.total) {
        const { market, subject } = about('total');
        yield bet(market, this.#side, line, subject);
      }
      if (isTeam ? isTeamTotal(sport, line) : open.team)
        for (const role of picks) {
          const { market, subject } = about('team_total');
          yield bet(market, `${role}_${this.#side}`, line, subject);
        }
      return yield fault(
        isTeam && picks.length === 0
          ? 'A team total needs a team.'
          : `${line} is no line for such a bet in ${sport}.`,
      );
    }
    if (this.#market === 'draw') {
      if (moneylineWays === 2) return yield fault(`${sport} has no draw to bet on.`);
      const { market, subject } = about('moneyline');
      return yield bet(market, 'draw', null, subject);
    }
    for (const role of picks) {
      if (this.#market === 'double_chance') yield bet('double_chance', `${role}_or_draw`, null, title);
      else if (this.#market === 'draw_no_bet') yield bet('draw_no_bet', role, null, title);
      else if (this.#market === 'total' || this.#market === 'team_total')
        yield fault('The text has a total without over or under.');
      else if (line !== null && this.#lines.every(({ isSigned }) => isSigned)) {
        if (this.#market === 'moneyline') yield fault('The text has a moneyline and a spread.');
        else if (sport === 'tennis' && Math.abs(line) <= 2.5 && !this.#keys.includes('games'))
          yield fault(`${line} can be sets or games of tennis: write games, if they are meant.`);
        else if (!isSpread(sport, line, part !== undefined)) yield fault(`${line} is no spread of ${sport}.`);
        else {
          const { market, subject } = about('spread');
          yield bet(market, role, line, subject);
        }
      } else if (line !== null) yield fault(`Nothing says whether ${line} is over, under, or a spread.`);
      else if (this.#market === 'spread') yield fault('The text has a spread without a line.');
      else if (this.#market === 'moneyline' || this.#odds.length > 0 || this.#open.length > 0) {
        const { market, subject } = about('moneyline');
        yield bet(market, role, null, subject);
      }
    }
  }

  /** A market that only players have. */
  #isPlayerQuestion(sport: string): boolean {
    const meant = this.#statistic?.bySport.get(sport) ?? [];
    return meant.length > 0 && !meant.some((market) => countedByTeams.has(market));
  }

  #player(
    sport: string,
    market: string,
    subject: string,
    line: number | null,
    bet: (
      market: string,
      side: string,
      points: number | null,
      subject: string,
    ) => { bet: Omit<BetReading, 'oddsAmerican' | 'stakeUnits' | 'book'>; sure: boolean },
  ) {
    const side = this.#side;
    if (isQuestion(market)) {
      if (side !== undefined && line === 0.5)
        return bet(market, side === 'over' ? 'yes' : 'no', null, subject);
      return side === undefined && line === null
        ? bet(market, this.#answer ?? 'yes', null, subject)
        : undefined;
    }
    // `Doe TD` asks for a touchdown, `Doe HR` for a home run.
    if (side === undefined && line === null) {
      if (market === 'player_tds_over') return bet('player_anytime_td', this.#answer ?? 'yes', null, subject);
      return market === 'batter_home_runs' ? bet(market, 'over', 0.5, subject) : undefined;
    }
    if (side === undefined || line === null || this.#lines.some(({ isSigned }) => isSigned)) return undefined;
    if (market === 'player_tds_over' && line === 0.5)
      return bet('player_anytime_td', side === 'over' ? 'yes' : 'no', null, subject);
    return isStatLine(sport, market, line) ? bet(market, side, line, subject) : undefined;
  }

  #areBothNamed(game: number, spans: readonly Span[]): boolean {
    const roles = spans.map((span) => this.#roles(game, span));
    return (
      roles.length >= 2 &&
      ['away', 'home'].every((role) => roles.some((each) => each.includes(role as 'away')))
    );
  }

  #roles(game: number, { named }: Span): ('away' | 'home')[] {
    return [
      ...new Set(named.flatMap((each) => (each.game === game && each.role !== 'player' ? [each.role] : []))),
    ];
  }

  /**
   * The teams on which the bet can be. Of two that the text names, one is the opponent if something says so: `Gulls -3 vs Foxes`,
   * `Gulls @ Foxes: Gulls -3`.
   */
  #picks(game: number, spans: readonly Span[]): ('away' | 'home')[] {
    if (spans.length === 0) return [];
    if (spans.length === 1) return this.#roles(game, spans[0]!);
    // Two teams beside each other name the game: a third name is the team that the bet is on.
    const alone: Span[] = [];
    for (let at = 0; at < spans.length; at += 1) {
      const [one, two] = [spans[at]!, spans[at + 1]];
      const isPair =
        two !== undefined && this.#isSeparator(one.to, two.from) && this.#areBothNamed(game, [one, two]);
      if (isPair) at += 1;
      else alone.push(one);
    }
    const open = alone.length > 0 ? alone : spans;
    const leading = open.filter((span) => !this.#isOpponent(span));
    const chosen = alone.length === 0 ? open : leading.length > 0 ? leading : open;
    return [...new Set(chosen.flatMap((span) => this.#roles(game, span)))];
  }

  /** Whether only marks and words such as `vs` lie between. A dash or colon there ends the names of the game. */
  #isSeparator(from: number, to: number): boolean {
    const between = this.#tokens.slice(from, to);
    return between.every(
      ({ raw }, at) => versus.has(this.#keys[from + at]!) || /^(?:[@/,&]|at|-|and)$/i.test(raw),
    );
  }

  #isOpponent({ from }: Span): boolean {
    const before = this.#tokens[from - 1];
    const isBracket = before?.raw === '(';
    const key = isBracket ? this.#keys[from - 2] : this.#keys[from - 1];
    const raw = isBracket ? this.#tokens[from - 2]?.raw : before?.raw;
    return versus.has(key ?? '') || /^(?:@|at)$/i.test(raw ?? '');
  }

  #raw(from: number, to: number): string {
    return this.#tokens
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(' ');
  }

  #isUsed(from: number, to: number): boolean {
    return this.#used.slice(from, to).some(Boolean);
  }

  #use(from: number, to: number): void {
    this.#used.fill(true, from, to);
  }
}

/** What a price can mean. Null: there is none. */
interface OddsText {
  american: readonly (number | null)[];
}

/** American odds of a price in a known format; none if it is no price. */
function americanMeant(text: string, format: OddsFormat): OddsText {
  const read = readOdds(text, { proven: [format], format }, { decimalComma: false });
  return { american: typeof read === 'number' ? [read] : [] };
}
